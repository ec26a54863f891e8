'use strict';
// A drawing context that writes SVG: as much of CanvasRenderingContext2D as Chart.js and charts.js call. Transformations
// may move, turn and scale, but not distort.
class SvgContext {
  constructor(width, height) {
    this.canvas = { width, height, getContext: () => this };
    this.parts = [];
    this.clips = 0;
    this.path = '';
    this.saved = [];
    this.state = { matrix: new DOMMatrix(), dash: [], clip: '' };
    this.paper = document.createElement('canvas').getContext('2d');  // measures text, reads colours
    Object.assign(this, { fillStyle: '#000000', strokeStyle: '#000000', lineWidth: 1, lineCap: 'butt', lineJoin: 'miter',
      lineDashOffset: 0, globalAlpha: 1, font: '10px sans-serif', textAlign: 'start', textBaseline: 'alphabetic' });
  }

  text(title) {
    const { width, height } = this.canvas;
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">\n` +
      `<title>${SvgContext.escape(title)}</title>\n${this.parts.join('\n')}\n</svg>\n`;
  }

  static escape(text) {
    // XML has no control characters, not even as references.
    return String(text).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
      .replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
  }
  static number(v) {
    return String(Math.round(v * 100) / 100);
  }

  save() {
    const { fillStyle, strokeStyle, lineWidth, lineCap, lineJoin, lineDashOffset, globalAlpha, font, textAlign, textBaseline } = this;
    this.saved.push([{ ...this.state }, { fillStyle, strokeStyle, lineWidth, lineCap, lineJoin, lineDashOffset, globalAlpha, font,
      textAlign, textBaseline }]);
  }
  restore() {
    const last = this.saved.pop();
    if (!last) return;
    this.state = last[0];
    Object.assign(this, last[1]);
  }

  translate(x, y) { this.state.matrix = this.state.matrix.translate(x, y); }
  rotate(radians) { this.state.matrix = this.state.matrix.rotate(radians * 180 / Math.PI); }
  scale(x, y) { this.state.matrix = this.state.matrix.scale(x, y); }
  setTransform(...m) { this.state.matrix = new DOMMatrix(m.length === 6 ? m : undefined); }
  resetTransform() { this.state.matrix = new DOMMatrix(); }
  setLineDash(dash) { this.state.dash = dash; }

  at(x, y) {
    const p = this.state.matrix.transformPoint(new DOMPoint(x, y));
    return `${SvgContext.number(p.x)} ${SvgContext.number(p.y)}`;
  }
  zoom() { return Math.hypot(this.state.matrix.a, this.state.matrix.b); }

  beginPath() { this.path = ''; }
  closePath() { if (this.path) this.path += 'Z'; }
  moveTo(x, y) { this.path += `M${this.at(x, y)}`; }
  lineTo(x, y) { this.path += `${this.path ? 'L' : 'M'}${this.at(x, y)}`; }
  bezierCurveTo(ax, ay, bx, by, x, y) { this.path += `C${this.at(ax, ay)} ${this.at(bx, by)} ${this.at(x, y)}`; }
  rect(x, y, w, h) { this.path += `M${this.at(x, y)}L${this.at(x + w, y)}L${this.at(x + w, y + h)}L${this.at(x, y + h)}Z`; }
  arc(x, y, radius, from, to, backwards) {
    let span = backwards ? from - to : to - from;
    span = span >= 2 * Math.PI ? 2 * Math.PI : ((span % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI);
    const r = SvgContext.number(radius * this.zoom());
    const on = (angle) => [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
    this.lineTo(...on(from));
    // A half at a time: an arc that ends where it begins would be none.
    for (let k = 1; k <= 2; ++k)
      this.path += `A${r} ${r} 0 0 ${backwards ? 0 : 1} ${this.at(...on(from + (backwards ? -1 : 1) * span * k / 2))}`;
  }

  colour(name, style) {
    this.paper.fillStyle = '#000000';
    this.paper.fillStyle = style;
    const parts = this.paper.fillStyle.match(/^rgba\((\d+), (\d+), (\d+), ([\d.]+)\)$/);
    const alpha = (parts ? Number(parts[4]) : 1) * this.globalAlpha;
    const plain = parts ? `rgb(${parts[1]},${parts[2]},${parts[3]})` : this.paper.fillStyle;
    return `${name}="${plain}"${alpha < 1 ? ` ${name}-opacity="${SvgContext.number(alpha)}"` : ''}`;
  }
  // A clip of its own would move with an element that is transformed.
  add(element) { this.parts.push(this.state.clip ? `<g clip-path="url(#${this.state.clip})">${element}</g>` : element); }
  fill() { if (this.path) this.add(`<path d="${this.path}" ${this.colour('fill', this.fillStyle)}></path>`); }
  stroke() {
    if (!this.path || !this.lineWidth) return;
    const dash = this.state.dash.length ? ` stroke-dasharray="${this.state.dash.join(' ')}" stroke-dashoffset="${this.lineDashOffset}"` : '';
    this.add(`<path d="${this.path}" fill="none" ${this.colour('stroke', this.strokeStyle)} ` +
      `stroke-width="${SvgContext.number(this.lineWidth * this.zoom())}" stroke-linecap="${this.lineCap}" stroke-linejoin="${this.lineJoin}"${dash}></path>`);
  }
  clip() {
    const id = `clip${++this.clips}`;
    this.parts.push(`<clipPath id="${id}"><path d="${this.path}"></path></clipPath>`);
    this.state.clip = id;
  }
  separate(draw) {
    const path = this.path;
    this.beginPath();
    draw();
    this.path = path;
  }
  fillRect(...r) { this.separate(() => { this.rect(...r); this.fill(); }); }
  strokeRect(...r) { this.separate(() => { this.rect(...r); this.stroke(); }); }
  clearRect() {}

  measureText(text) {
    this.paper.font = this.font;
    return this.paper.measureText(text);
  }
  fillText(text, x, y) {
    // Viewers differ in what baselines they know: the text is moved to its usual one.
    this.paper.font = this.font;
    const top = (baseline) => {
      this.paper.textBaseline = baseline;
      return this.paper.measureText(text).actualBoundingBoxAscent;
    };
    const baseline = y + top('alphabetic') - top(this.textBaseline);
    this.paper.textBaseline = 'alphabetic';
    const [, style, weight, size, family] = this.paper.font.match(/^(?:(italic|oblique) )?(?:(bold|\d+) )?([\d.]+)px (.*)$/) ??
      ['', '', '', '12', 'sans-serif'];
    const anchor = { center: 'middle', right: 'end', end: 'end' }[this.textAlign] ?? 'start';
    const m = this.state.matrix;
    const transform = m.isIdentity ? '' : ` transform="matrix(${[m.a, m.b, m.c, m.d, m.e, m.f].map((v) => String(Math.round(v * 1e4) / 1e4)).join(' ')})"`;
    this.add(`<text x="${SvgContext.number(x)}" y="${SvgContext.number(baseline)}" font-family="${SvgContext.escape(family)}" font-size="${size}"` +
      `${weight ? ` font-weight="${weight}"` : ''}${style ? ` font-style="${style}"` : ''} text-anchor="${anchor}" ` +
      `${this.colour('fill', this.fillStyle)}${transform}>${SvgContext.escape(text)}</text>`);
  }
  strokeText() {}
}
