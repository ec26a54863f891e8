'use strict';
// Everything on the page comes from the JSON in #data; charts are drawn by Chart.js if it is in the page.
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const main = document.getElementById('main');
  const comparison = data.comparison;
  const variants = comparison.variants.map((v) => v.name);
  const workloads = comparison.workloads.map((w) => w.name);
  // Okabe and Ito's colours: told apart by most eyes, in light and dark.
  const colours = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#8b8680', '#b8a800'];
  const charts = [];

  const add = (parent, tag, text, name) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (name) element.className = name;
    parent.appendChild(element);
    return element;
  };
  const figure = (v) => {
    if (v === undefined || v === null) return '–';
    if (Number.isInteger(v) || Math.abs(v) >= 10000) return Math.round(v).toLocaleString('en');
    return Math.abs(v) >= 100 ? v.toFixed(1) : Math.abs(v) >= 10 ? v.toFixed(2) : v.toFixed(3);
  };
  const table = (parent, head, rows) => {
    const t = add(add(parent, 'div', undefined, 'scroll'), 'table');
    const line = add(add(t, 'thead'), 'tr');
    head.forEach((h, k) => add(line, 'th', h.text ?? h, h.number ? 'number' : ''));
    const body = add(t, 'tbody');
    for (const row of rows) {
      const tr = add(body, 'tr');
      for (const cell of row) add(tr, 'td', cell.text ?? cell, cell.name ?? '');
    }
  };
  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  const chart = (parent, make) => {
    if (typeof Chart === 'undefined') return;
    const canvas = add(add(parent, 'div', undefined, 'chart'), 'canvas');
    const entry = { make, drawn: null, canvas };
    charts.push(entry);
    draw(entry);
  };
  const draw = (entry) => {
    if (entry.drawn) entry.drawn.destroy();
    const config = entry.make();
    const text = style('--text'), line = style('--line');
    const axis = (extra) => Object.assign({ ticks: { color: text }, grid: { color: line } }, extra);
    config.options = Object.assign({
      responsive: true, maintainAspectRatio: false, animation: false,
      plugins: { legend: { labels: { color: text } }, title: { display: true, text: config.title, color: text } },
      scales: {
        x: axis({ stacked: !!config.stacked, title: { display: !!config.x, text: config.x, color: text } }),
        y: axis({ stacked: !!config.stacked, beginAtZero: true, title: { display: !!config.y, text: config.y, color: text } }),
      },
    }, config.options);
    entry.drawn = new Chart(entry.canvas, config);
  };
  const bars = (labels, series, title, y, stacked) => ({
    type: 'bar', title, y, stacked,
    data: { labels, datasets: series.map((s, k) => ({ label: s.name, data: s.values, backgroundColor: colours[k % colours.length] })) },
  });

  document.getElementById('title').textContent = data.title;
  document.getElementById('about').textContent = data.about || '';

  if (data.claims && data.claims.length) {
    add(main, 'h2', 'Claims');
    if (data.source) add(main, 'p', data.source);
    table(main, ['claim', '', { text: 'paper', number: true }, { text: 'ours', number: true }, 'verdict'],
      data.claims.map((c) => [c.id, c.statement + (c.note ? ' (' + c.note + ')' : ''), { text: c.paper, name: 'number' },
        { text: c.measured, name: 'number' }, { text: c.verdict, name: 'verdict ' + c.verdict }]));
    add(main, 'p', Object.entries(data.totals).filter(([, n]) => n).map(([v, n]) => v + ' ' + n).join(', ') +
      ' of ' + data.claims.length);
  }

  for (const m of comparison.metrics) {
    add(main, 'h2', m.name + (m.unit ? ' (' + m.unit + ')' : ''));
    const relative = variants.length > 1 && Object.keys(m.ratios).length > 0;
    const from = relative ? m.ratios : m.values;
    chart(main, () => bars(relative ? workloads.concat('geometric mean') : workloads,
      variants.map((v) => ({ name: v, values: workloads.map((w) => from[w]?.[v] ?? null)
        .concat(relative ? [m.geometric_mean[v] ?? null] : []) })),
      relative ? m.name + ' relative to ' + comparison.baseline : m.name, relative ? 'ratio' : m.unit));
    const best = (w, v) => {
      const row = Object.values(m.values[w] ?? {});
      if (!m.better || new Set(row).size < 2) return false;
      return m.values[w]?.[v] === (m.better === 'more' ? Math.max(...row) : Math.min(...row));
    };
    table(main, ['workload'].concat(variants.map((v) => ({ text: v, number: true }))),
      workloads.map((w) => [w].concat(variants.map((v) => ({ text: figure(m.values[w]?.[v]), name: 'number' + (best(w, v) ? ' best' : '') }))))
        .concat(relative ? [['geometric mean of ratios'].concat(variants.map((v) => ({ text: m.geometric_mean[v]?.toFixed(3) ?? '–', name: 'number' })))] : []));
  }

  // One workload in depth, all variants side by side.
  add(main, 'h2', 'One workload in depth');
  const choice = add(add(main, 'p'), 'select');
  choice.setAttribute('aria-label', 'workload');
  for (const w of workloads) add(choice, 'option', w);
  const depth = add(main, 'div', undefined, 'pair');
  const runOf = (v) => data.runs.find((r) => r.workload === choice.value && r.variant === v);
  const seen = variants.filter((v) => data.runs.some((r) => r.variant === v));
  const causes = [...new Set(data.runs.flatMap((r) => Object.keys(r.stalls ?? {})))];
  chart(depth, () => bars(seen, causes.map((c) => ({ name: c, values: seen.map((v) => runOf(v)?.stalls?.[c]?.percent ?? null) }))
    .filter((s) => s.values.some((x) => x > 0.5)), 'where the cycles of resident warps went', '%', true));
  chart(depth, () => bars(seen, ['p50', 'p90', 'p99', 'max'].map((q) => ({ name: q, values: seen.map((v) => runOf(v)?.load_latency_cycles?.[q] ?? null) })),
    'latency of global loads', 'core cycles'));
  const memory = (v, key) => {
    const all = Object.values(runOf(v)?.memories ?? {});
    return all.length ? all.reduce((n, x) => n + x[key], 0) : null;
  };
  chart(depth, () => bars(seen, [['hits', 'row_hits'], ['misses (closed row)', 'row_misses'], ['conflicts (another row)', 'row_conflicts']]
    .map(([name, key]) => ({ name, values: seen.map((v) => memory(v, key)) })), 'row outcomes of DRAM requests', 'requests', true));
  chart(depth, () => bars(seen, [['read', 'read_bytes'], ['written', 'write_bytes']].map(([name, key]) => ({ name,
    values: seen.map((v) => { const b = memory(v, key); return b === null ? null : b * runOf(v).core_hz / runOf(v).cycles / 1e9; }) })),
    'DRAM bandwidth', 'GB/s', true));
  if (data.runs.some((r) => r.timeline)) {
    const lines = (title, y, value) => () => ({
      type: 'line', title, y, x: 'core cycle',
      data: { datasets: seen.filter((v) => runOf(v)?.timeline).map((v, k) => ({ label: v, borderColor: colours[k % colours.length],
        pointRadius: 0, borderWidth: 1.5, data: runOf(v).timeline.cycle.map((x, i) => ({ x, y: value(runOf(v), i) })) })) },
      options: { parsing: true, scales: { x: { type: 'linear', ticks: { color: style('--text') }, grid: { color: style('--line') } },
        y: { beginAtZero: true, ticks: { color: style('--text') }, grid: { color: style('--line') }, title: { display: true, text: y, color: style('--text') } } } },
    });
    const delta = (t, name, i) => t[name][i] - (i ? t[name][i - 1] : 0);
    const span = (t, i) => t.cycle[i] - (i ? t.cycle[i - 1] : 0);
    chart(depth, lines('thread instructions a cycle over time', 'IPC', (r, i) => delta(r.timeline, 'thread_instructions', i) / span(r.timeline, i)));
    chart(depth, lines('DRAM bandwidth over time', 'GB/s', (r, i) => (delta(r.timeline, 'read_bytes', i) + delta(r.timeline, 'write_bytes', i)) * r.core_hz / span(r.timeline, i) / 1e9));
    chart(depth, lines('row hits over time', '% of requests', (r, i) => {
      const all = ['row_hits', 'row_misses', 'row_conflicts'].reduce((n, k) => n + delta(r.timeline, k, i), 0);
      return all ? 100 * delta(r.timeline, 'row_hits', i) / all : null;
    }));
  }
  choice.addEventListener('change', () => charts.forEach(draw));

  if (data.differences.length) {
    add(main, 'h2', 'What differs between the variants');
    table(main, ['key'].concat(variants), data.differences.map((d) => [d.key].concat(d.values)));
  }
  add(main, 'h2', 'The machine');
  const details = add(main, 'details');
  add(details, 'summary', comparison.baseline + ', completely resolved');
  add(details, 'pre', data.machine);
  if (typeof Chart === 'undefined') add(main, 'p', 'Charts are missing: this program was built without Chart.js.');

  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => charts.forEach(draw));
  document.body.dataset.charts = charts.length;
})();
