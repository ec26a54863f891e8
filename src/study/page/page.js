'use strict';
// The page: everything on it comes from the JSON in #data.
(() => {
  const { add, chart } = charts;
  const data = JSON.parse(document.getElementById('data').textContent);
  const main = document.getElementById('main');
  // A study on several boards has the results of each; anything else is one without a name.
  const boards = data.boards ?? [data];
  const named = !!data.boards;
  const seeds = boards[0].comparison.seeds ?? [];

  const figure = (v) => {
    if (v === undefined || v === null) return '–';
    if (Number.isInteger(v) || Math.abs(v) >= 10000) return Math.round(v).toLocaleString('en');
    return Math.abs(v) >= 100 ? v.toFixed(1) : Math.abs(v) >= 10 ? v.toFixed(2) : v.toFixed(3);
  };
  const withMargin = (text, margin) => margin === undefined ? text :
    `${text} ±${margin >= 100 ? Math.round(margin).toLocaleString('en') : Number(margin.toPrecision(2))}`;
  const table = (parent, head, rows) => {
    const t = add(add(parent, 'div', undefined, 'scroll'), 'table');
    const line = add(add(t, 'thead'), 'tr');
    head.forEach((h) => add(line, 'th', h.text ?? h, h.number ? 'number' : ''));
    const body = add(t, 'tbody');
    for (const row of rows) {
      const tr = add(body, 'tr');
      for (const cell of row) add(tr, 'td', cell.text ?? cell, cell.name ?? '');
    }
    return t;
  };
  const select = (parent, name, options) => {
    const element = add(parent, 'select');
    element.setAttribute('aria-label', name);
    for (const o of options) add(element, 'option', o);
    return element;
  };

  document.getElementById('title').textContent = data.title;
  document.getElementById('about').textContent = data.about || '';
  if (seeds.length)
    add(main, 'p', `Figures are means of ${seeds.length} seeds (${seeds.join(', ')}); ± and error bars are ` +
      `${Math.round(100 * boards[0].comparison.confidence)} % confidence intervals (Student's t).`);
  const all = add(main, 'p', 'All charts: ', 'tools');

  // A row of what a board says: measured and verdict of each, then the cause where there is a column for it.
  const heads = () => ['claim', '', { text: 'paper', number: true }]
    .concat(named ? boards.map((b) => ({ text: b.name, number: true })) : [{ text: 'ours', number: true }],
      named ? boards.map((b) => `${b.name} verdict`) : ['verdict'], named ? ['cause'] : []);
  const row = (id, statement, paper, cause, on) => {
    const says = boards.map(on);
    const shown = cause ? (named ? statement : `${statement} (${cause})`) : statement;
    return [id, shown, { text: paper, name: 'number' }].concat(says.map((s) => ({ text: s.measured, name: 'number' })),
      says.map((s) => ({ text: s.verdict, name: 'verdict ' + s.verdict })), named ? [cause ?? ''] : []);
  };
  const onBoard = (claim) => (b) => named ? claim.boards[b.name] : claim;
  if (data.regime) {
    add(main, 'h2', 'Workloads under the baseline');
    add(main, 'p', 'What the paper says of its workloads, before any claim: near is within 10 points or a factor of 2, and of ' +
      'classes 80 % of the workloads.');
    table(main, heads(), data.regime.flatMap((c) => {
      const on = onBoard(c), rows = [row(c.id, c.statement, c.paper, c.note, on)];
      on(boards[0]).values.forEach((v, k) => {
        const one = (b) => ({ measured: on(b).values[k].ours, verdict: on(b).values[k].verdict });
        if (v.workload && boards.some((b) => one(b).verdict !== 'near')) rows.push(row('', v.workload, v.paper, v.note, one));
      });
      return rows;
    }));
  }
  if (data.claims && data.claims.length) {
    add(main, 'h2', 'Claims');
    if (data.source) add(main, 'p', data.source);
    table(main, heads(), data.claims.map((c) => row(c.id, c.statement, c.paper, c.note, onBoard(c))));
    for (const b of boards)
      add(main, 'p', (named ? `${b.name} (${b.machine}): ` : '') + Object.entries(b.totals).filter(([, n]) => n)
        .map(([v, n]) => v + ' ' + n).join(', ') + ' of ' + data.claims.length);
  }

  // What is shown of one board; `of` says which, where there are several.
  const view = (board) => {
    const comparison = board.comparison, of = named ? ` (${board.name})` : '';
    const variants = comparison.variants.map((v) => v.name);
    const workloads = comparison.workloads.map((w) => w.name);
    const metricChart = (parent, m) => {
      const chartOf = (from, margins, title, y, mean, reference) => chart(parent, () => ({
        kind: 'bar', title, y, reference, of: 'workload', labels: mean ? workloads.concat('geometric mean') : workloads,
        series: variants.map((v) => ({ name: v,
          values: workloads.map((w) => from[w]?.[v]).concat(mean ? [m.geometric_mean[v]] : []),
          margins: margins && workloads.map((w) => margins[w]?.[v]).concat(mean ? [m.geometric_mean_margins?.[v]] : []) })),
      }));
      if (variants.length > 1 && Object.keys(m.ratios).length)
        chartOf(m.ratios, m.ratio_margins, `${m.name} relative to ${comparison.baseline}${of}`, 'ratio', true, 1);
      else
        chartOf(m.values, m.value_margins, m.name + of, m.unit, false);
    };
    const metricTable = (m) => {
      if (named) add(main, 'h3', board.name);
      const best = (w, v) => {
        const row = Object.values(m.values[w] ?? {});
        if (!m.better || new Set(row).size < 2) return false;
        return m.values[w]?.[v] === (m.better === 'more' ? Math.max(...row) : Math.min(...row));
      };
      const cell = (text, margin, name) => ({ text: withMargin(text, margin), name: 'number' + name });
      const rows = workloads.map((w) => [w].concat(variants.map((v) =>
        cell(figure(m.values[w]?.[v]), m.value_margins?.[w]?.[v], best(w, v) ? ' best' : ''))));
      if (variants.length > 1)
        rows.push(['geometric mean of ratios'].concat(variants.map((v) =>
          cell(m.geometric_mean[v]?.toFixed(3) ?? '–', m.geometric_mean_margins?.[v], ''))));
      table(main, ['workload'].concat(variants.map((v) => ({ text: v, number: true }))), rows);
    };

    const inDepth = () => {
      const ran = workloads.filter((w) => board.runs.some((r) => r.workload === w));
      if (!ran.length) return;
      add(main, 'h2', (ran.length > 1 ? 'One workload in depth' : `${ran[0]} in depth`) + of);
      if (seeds.length) add(main, 'p', `With the seed ${seeds[0]}.`);
      const choice = ran.length > 1 ? select(add(main, 'p', 'Workload: '), 'workload', ran) : { value: ran[0] };
      const depth = add(main, 'div', undefined, 'pair');
      const runOf = (v) => board.runs.find((r) => r.workload === choice.value && r.variant === v);
      const seen = () => variants.filter(runOf);
      const barsOf = (title, y, series, stacked) => chart(depth, () => ({ kind: 'bar', title, y, stacked, of: 'variant', labels: seen(),
        series: series().map(([name, of]) => ({ name, values: seen().map((v) => of(runOf(v))) })) }));
      const names = (of) => [...new Set(seen().flatMap((v) => Object.keys(of(runOf(v)) ?? {})))];
      const memory = (r, key) => {
        const parts = Object.values(r.memories ?? {});
        return parts.length ? parts.reduce((n, m) => n + m[key], 0) : null;
      };

      barsOf('where the cycles of resident warps went', '%', () => names((r) => r.stalls).map((c) => [c, (r) => r.stalls?.[c]?.percent])
        .filter(([, of]) => seen().some((v) => of(runOf(v)) > 0.5)), true);
      barsOf('latency of global loads', 'core cycles', () => ['p50', 'p90', 'p99', 'max'].map((q) => [q, (r) => r.load_latency_cycles?.[q]]));
      barsOf('hit rates', '% of lookups', () => names((r) => r.caches).map((c) => [c,
        (r) => r.caches?.[c]?.hit_rate === undefined ? null : 100 * r.caches[c].hit_rate]));
      barsOf('row outcomes of DRAM requests', 'requests', () => [['hits', 'row_hits'], ['misses (closed row)', 'row_misses'],
        ['conflicts (another row)', 'row_conflicts']].map(([name, key]) => [name, (r) => memory(r, key)]), true);
      barsOf('DRAM bandwidth', 'GB/s', () => ['read', 'written'].map((name) => [name, (r) => r.dram_bandwidth?.[name] ?? null]), true);
      if (board.runs.some((r) => r.timeline)) timelines(depth, seen, runOf);
      const refresh = kernels(seen, runOf);
      if (ran.length > 1) choice.addEventListener('change', () => { charts.redraw(); refresh(); });
    };

    // What counters grew by between two samples.
    const timelines = (parent, seen, runOf) => {
      const lines = (title, y, value) => chart(parent, () => ({ kind: 'line', title, y, x: 'core cycle',
        series: seen().filter((v) => runOf(v).timeline).map((v) => {
          const run = runOf(v), t = run.timeline;
          const grown = (key, i) => (t[key]?.[i] ?? 0) - (i ? t[key]?.[i - 1] ?? 0 : 0);
          return { name: v, points: t.cycle.map((x, i) => ({ x, y: value((key) => grown(key, i), x - (i ? t.cycle[i - 1] : 0), run.bandwidth_over_time[i]) })) };
        }) }));
      const share = (part, whole) => whole > 0 ? 100 * part / whole : null;
      lines('thread instructions per cycle over time', 'IPC', (n, cycles) => n('thread_instructions') / cycles);
      lines('L1 hits over time', '% of read sectors', (n) => share(n('l1_read_sector_hits'), n('l1_read_sectors')));
      lines('L2 hits over time', '% of read sectors', (n) => share(n('l2_read_sector_hits'), n('l2_read_sectors')));
      lines('DRAM bandwidth over time', 'GB/s', (n, cycles, bandwidth) => bandwidth);
      lines('row hits over time', '% of requests', (n) => share(n('row_hits'), n('row_hits') + n('row_misses') + n('row_conflicts')));
      // Machines of several memories.
      const sampled = [...new Set(seen().flatMap((v) => Object.keys(runOf(v).timeline ?? {})))];
      const memories = sampled.filter((key) => key.endsWith('.bytes'));
      for (const key of memories)
        lines(`bytes of ${key.slice(0, -'.bytes'.length)} over time`, '% of all memories', (n) => share(n(key), memories.reduce((sum, k) => sum + n(k), 0)));
      if (!sampled.includes('migration.pages')) return;
      lines('pages moved over time', 'pages', (n) => n('migration.pages'));
      lines('pages moved with a shootdown over time', 'pages', (n) => n('migration.shootdowns'));
      lines('cycles without lookups, for shootdowns', '% of cycles', (n, cycles) => share(n('migration.stall_cycles'), cycles));
    };

    // Name, unit and factor of what is known of a kernel.
    const kernelFigures = { cycles: ['cycles', 'core cycles', 1], l1_hit_rate: ['L1 hits', '%', 100], l2_hit_rate: ['L2 hits', '%', 100],
      row_hit_rate: ['row hits', '%', 100], dram_bytes: ['DRAM traffic', 'MiB', 1 / 2 ** 20], dram_bandwidth: ['DRAM bandwidth', 'GB/s', 1],
      load_latency: ['load latency', 'core cycles', 1], memory_waits: ['memory waits', '% of the cycles of resident warps', 100] };
    const kernels = (seen, runOf) => {
      const part = add(main, 'div');
      add(part, 'h3', 'Kernels');
      add(part, 'p', 'Launches of one name together.');
      const keys = Object.keys(kernelFigures);
      const choice = select(add(part, 'p', 'Chart: '), 'figure of kernels', keys.map((k) => kernelFigures[k][0]));
      const known = () => [...new Set(seen().flatMap((v) => runOf(v).kernels.map((k) => k.name)))];
      const find = (v, name) => runOf(v).kernels.find((k) => k.name === name);
      const value = (v, name, key) => {
        const own = find(v, name)?.[key];
        return own === undefined ? null : own * kernelFigures[key][2];
      };
      chart(part, () => {
        const key = keys[choice.selectedIndex], [title, unit] = kernelFigures[key];
        return { kind: 'bar', title: `${title} by kernel`, y: unit, of: 'kernel', labels: known(),
          series: seen().map((v) => ({ name: v, values: known().map((k) => value(v, k, key)) })) };
      });
      choice.addEventListener('change', charts.redraw);
      const rows = add(part, 'div');
      const refresh = () => {
        part.hidden = known().length === 0;
        rows.replaceChildren();
        table(rows, ['kernel'].concat(variants.length > 1 ? ['variant'] : [], { text: 'launches', number: true }, keys.map((k) => ({
          text: kernelFigures[k][0] + (k === 'cycles' ? '' : ` (${kernelFigures[k][1].split(' ')[0]})`), number: true }))),
        known().flatMap((name) => seen().filter((v) => find(v, name)).map((v, i) => [i ? '' : name].concat(variants.length > 1 ? [v] : [],
          { text: figure(find(v, name).launches), name: 'number' },
          keys.map((k) => ({ text: figure(value(v, name, k)), name: 'number' }))))));
        if (seen().some((v) => runOf(v).kernels.some((k) => k.shared)))
          add(rows, 'p', 'Some kernels overlapped; counts from those times are divided in proportion to each kernel\'s instructions.');
      };
      refresh();
      return refresh;
    };
    const machine = () => {
      if (board.differences.length) {
        add(main, 'h2', 'What differs between the variants' + of);
        table(main, ['key'].concat(variants), board.differences.map((d) => [d.key].concat(d.values)));
      }
      add(main, 'h2', 'The machine' + of);
      const details = add(main, 'details');
      add(details, 'summary', comparison.baseline + ', completely resolved');
      add(details, 'pre', board.resolved);
    };
    return { metrics: comparison.metrics, metricChart, metricTable, inDepth, machine };
  };

  const views = boards.map(view);
  views[0].metrics.forEach((m, k) => {
    add(main, 'h2', m.name + (m.unit ? ' (' + m.unit + ')' : ''));
    const side = named ? add(main, 'div', undefined, 'pair') : main;
    for (const v of views) v.metricChart(side, v.metrics[k]);
    for (const v of views) v.metricTable(v.metrics[k]);
  });
  for (const v of views) v.inDepth();
  for (const v of views) v.machine();

  charts.switches(all);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', charts.redraw);
})();
