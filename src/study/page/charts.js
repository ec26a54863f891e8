'use strict';
// Charts with a switch for the axis, value labels, error bars, and their data as SVG and CSV. What a chart shows:
//
//   kind      'bar': labels [...], series [{name, values, margins}]; margins of confidence intervals where there are some
//             'line': series [{name, points: [{x, y}]}]
//   title, x, y            words; x and y name the axes
//   stacked                bars of a label stand on each other
//   reference              the value that others are relative to: the fitted axis has bars start there
const charts = (() => {
  // Okabe and Ito's colours: told apart by most eyes, in light and dark.
  const colours = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#8b8680', '#b8a800'];
  const all = [];
  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const colour = (k) => colours[k % colours.length];
  const short = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 4 });
  const exact = new Intl.NumberFormat('en', { maximumSignificantDigits: 6 });

  const add = (parent, tag, text, name) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (name) element.className = name;
    parent.appendChild(element);
    return element;
  };

  const cut24 = (text) => text.length > 24 ? text.slice(0, 23) + '…' : text;
  const has = (v) => typeof v === 'number' && Number.isFinite(v);
  const series = (spec) => spec.series.filter((s) => (s.points ?? s.values).some((p) => has(p?.y ?? p)));

  // The range of what is drawn, error bars included.
  const range = (spec) => {
    let low = Infinity, high = -Infinity;
    const take = (v) => {
      if (!has(v)) return;
      low = Math.min(low, v);
      high = Math.max(high, v);
    };
    for (const s of spec.series) {
      for (const p of s.points ?? []) take(p.y);
      (s.values ?? []).forEach((v, k) => { if (has(v)) { take(v - (s.margins?.[k] ?? 0)); take(v + (s.margins?.[k] ?? 0)); } });
    }
    take(spec.reference);
    const room = (high - low) * 0.08 || Math.abs(high) * 0.05 || 1;
    // Below a reference there are values beside bars too.
    const below = low - room * (has(spec.reference) && low < spec.reference ? 3 : 1);
    return { low: low >= 0 ? Math.max(0, below) : below, high: high + room, most: high };
  };

  // Dark text on light colours, and the other way round.
  const ink = (background) => {
    const [r, g, b] = [1, 3, 5].map((k) => parseInt(background.slice(k, k + 2), 16));
    return 0.299 * r + 0.587 * g + 0.114 * b > 140 ? '#000000' : '#ffffff';
  };

  // Error bars, and the value beside each bar that is wide enough for it, upright or turned.
  const labelRoom = (spec, width) => spec.kind !== 'bar' ? 0 :
    (width - 70) / (spec.labels.length * (spec.stacked ? 1 : series(spec).length) * 1.25);
  const turned = (spec, width) => labelRoom(spec, width) < 44;
  const marks = (spec, values) => ({
    id: 'marks',
    afterDatasetsDraw(chart) {
      if (spec.kind !== 'bar') return;
      const context = chart.ctx;
      context.save();
      context.font = `11px ${Chart.defaults.font.family}`;
      series(spec).forEach((s, k) => chart.getDatasetMeta(k).data.forEach((bar, i) => {
        if (!has(s.values[i]) || !chart.isDatasetVisible(k)) return;
        const margin = s.margins?.[i] ?? 0;
        const [low, high] = [-margin, margin].map((m) => chart.scales.y.getPixelForValue(s.values[i] + m));
        if (margin && !spec.stacked) whisker(context, bar, low, high);
        if (!values) return;
        const text = has(spec.reference) ? s.values[i].toFixed(3) : short.format(s.values[i]), size = context.measureText(text).width;
        if (spec.stacked) {
          if (Math.abs(bar.base - bar.y) >= 13 && bar.width >= size + 2) inside(context, bar, text, ink(colour(k)));
        } else if (bar.width >= 10) {
          beside(context, bar, bar.y <= bar.base ? Math.min(bar.y, high) : Math.max(bar.y, low), text, turned(spec, chart.width));
        }
      }));
      context.restore();
    },
  });
  const whisker = (context, bar, low, high) => {
    const half = Math.min(5, bar.width / 3);
    context.strokeStyle = style('--text');
    context.lineWidth = 1.25;
    context.beginPath();
    context.moveTo(bar.x, low);
    context.lineTo(bar.x, high);
    for (const y of [low, high]) {
      context.moveTo(bar.x - half, y);
      context.lineTo(bar.x + half, y);
    }
    context.stroke();
  };
  const inside = (context, bar, text, ink) => {
    context.fillStyle = ink;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillText(text, bar.x, (bar.y + bar.base) / 2);
  };
  const beside = (context, bar, end, text, turn) => {
    const up = bar.y <= bar.base;
    context.fillStyle = style('--text');
    context.save();
    context.translate(bar.x, end + (up ? -4 : 4));
    if (turn) context.rotate(-Math.PI / 2);
    context.textAlign = turn ? (up ? 'left' : 'right') : 'center';
    context.textBaseline = turn ? 'middle' : up ? 'bottom' : 'top';
    context.fillText(text, 0, 0);
    context.restore();
  };

  const configuration = (entry, width) => {
    const { spec, fitted, values } = entry;
    const text = style('--text'), line = style('--line'), shown = series(spec);
    const axis = (title, extra) => Object.assign({ ticks: { color: text }, grid: { color: line },
      title: { display: !!title, text: title, color: text } }, extra);
    const span = range(spec), narrowed = fitted && !spec.stacked;
    const from = narrowed ? { beginAtZero: false, suggestedMin: span.low, suggestedMax: span.high } :
      { beginAtZero: true, ...(spec.stacked ? {} : { suggestedMax: span.most }) };
    const cut = narrowed && spec.kind === 'bar' && !has(spec.reference) ? ' (axis not from 0)' : '';
    const datasets = shown.map((s, k) => spec.kind === 'bar' ?
      { label: s.name, data: s.values.map((v) => has(v) ? v : null), backgroundColor: colour(k),
        ...(narrowed && has(spec.reference) ? { base: spec.reference } : {}) } :
      { label: s.name, data: s.points.filter((p) => has(p.y)), borderColor: colour(k), backgroundColor: colour(k), borderWidth: 1.5,
        borderDash: [[], [6, 3], [2, 2], [8, 3, 2, 3]][(shown.length - 1 - k) % 4],  // the first is drawn on top, and others are seen through
        pointRadius: s.points.length > 2 ? 0 : 3, segment: {} });  // with segments it draws without Path2D, which SvgContext has not
    const tip = (item) => {
      const margin = shown[item.datasetIndex].margins?.[item.dataIndex];
      return `${item.dataset.label}: ${exact.format(item.parsed.y)}${margin === undefined ? '' : ` ±${exact.format(margin)}`}`;
    };
    const top = !values || spec.kind !== 'bar' || spec.stacked || labelRoom(spec, width) < 10 ? 4 : turned(spec, width) ? 46 : 18;
    return {
      type: spec.kind,
      data: { labels: spec.labels, datasets },
      plugins: [marks(spec, values)],
      options: {
        responsive: true, maintainAspectRatio: false, animation: false, layout: { padding: { top } },
        interaction: spec.kind === 'line' ? { mode: 'nearest', axis: 'x', intersect: false } : {},
        plugins: { legend: { display: shown.length > 1 || spec.kind === 'line', position: 'bottom',
          labels: { color: text, ...(spec.kind === 'line' ? { boxWidth: 28, boxHeight: 0 } : { boxWidth: 14 }) } },
          title: { display: false, text: spec.title, color: text }, tooltip: { callbacks: { label: tip } } },
        scales: {
          x: axis(spec.x, { stacked: !!spec.stacked, ...(spec.kind === 'line' ?
            { type: 'linear', min: 0, ticks: { color: text, callback: (v) => short.format(v) } } :
            { ticks: { color: text, autoSkip: false, callback: (k) => cut24(spec.labels[k]) } }) }),
          y: axis(spec.y ? spec.y + cut : cut.trim(), { stacked: !!spec.stacked, ...from }),
        },
      },
    };
  };

  const draw = (entry) => {
    entry.drawn?.destroy();
    entry.drawn = null;
    entry.spec = entry.make();
    const empty = series(entry.spec).length === 0;
    entry.figure.hidden = empty;
    if (empty) return;
    entry.title.textContent = entry.spec.title;
    entry.canvas.setAttribute('aria-label', entry.spec.title);
    entry.drawn = new Chart(entry.canvas, configuration(entry, entry.canvas.parentNode.clientWidth));
  };

  const svg = (entry) => {
    const { clientWidth: width, clientHeight: height } = entry.canvas.parentNode;
    const context = new SvgContext(width, height + 24);
    context.fillStyle = style('--panel');
    context.fillRect(0, 0, width, height + 24);
    const config = configuration(entry, width);
    Object.assign(config.options, { responsive: false, events: [], devicePixelRatio: 1 });
    config.options.plugins.title = { ...config.options.plugins.title, display: true,
      padding: { top: 6, bottom: config.options.layout.padding.top } };
    config.options.layout.padding.top = 0;
    config.platform = Chart.platforms.BasicPlatform;
    new Chart(context.canvas, config).destroy();
    return context.text(entry.spec.title);
  };

  const cell = (v) => {
    const text = v === undefined || v === null ? '' : String(v);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const csv = ({ spec }) => {
    const shown = series(spec);
    const rows = spec.kind === 'line' ?
      [['series', spec.x, spec.y]].concat(shown.flatMap((s) => s.points.filter((p) => has(p.y)).map((p) => [s.name, p.x, p.y]))) :
      [[spec.of ?? ''].concat(shown.flatMap((s) => s.margins ? [s.name, `${s.name} margin`] : [s.name]))].concat(
        spec.labels.map((label, i) => [label].concat(shown.flatMap((s) => s.margins ? [s.values[i], s.margins[i]] : [s.values[i]]))));
    return rows.map((row) => row.map(cell).join(',') + '\n').join('');
  };

  const save = (entry, ending, type, text) => {
    const name = entry.spec.title.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'chart';
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = `${name}.${ending}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };

  const box = (parent, text, checked, change) => {
    const label = add(parent, 'label'), input = add(label, 'input');
    input.type = 'checkbox';
    input.checked = checked;
    label.append(text);
    input.addEventListener('change', () => change(input.checked));
    return input;
  };
  const button = (parent, text, hint, click) => {
    const element = add(parent, 'button', text);
    element.type = 'button';
    element.title = hint;
    element.addEventListener('click', click);
  };

  return {
    all, add,
    // `make` gives what the chart shows; it is asked again whenever all are redrawn.
    chart(parent, make) {
      const figure = add(parent, 'figure'), caption = add(figure, 'figcaption');
      const entry = { make, spec: make(), figure, title: add(caption, 'strong'), drawn: null, fitted: false, values: true };
      const tools = add(caption, 'span', undefined, 'tools');
      if (!entry.spec.stacked) entry.fitBox = box(tools, 'fitted axis', false, (on) => { entry.fitted = on; draw(entry); });
      if (entry.spec.kind === 'bar') entry.valueBox = box(tools, 'values', true, (on) => { entry.values = on; draw(entry); });
      button(tools, 'SVG', 'save the chart as SVG', () => save(entry, 'svg', 'image/svg+xml', svg(entry)));
      button(tools, 'CSV', 'save the figures as CSV', () => save(entry, 'csv', 'text/csv', csv(entry)));
      entry.canvas = add(add(figure, 'div', undefined, 'area'), 'canvas');
      entry.canvas.setAttribute('role', 'img');
      all.push(entry);
      draw(entry);
    },
    redraw() { all.forEach(draw); },
    // Switches of all charts at once.
    switches(parent) {
      const every = (key, name) => (on) => {
        for (const entry of all) {
          entry[key] = on;
          if (entry[name]) entry[name].checked = on;
        }
        all.forEach(draw);
      };
      box(parent, 'fitted axes', false, every('fitted', 'fitBox'));
      box(parent, 'values', true, every('values', 'valueBox'));
    },
  };
})();
