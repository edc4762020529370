// SPDX-License-Identifier: GPL-2.0-only
// The table of the matrix page. Rows are filled when they come into view, so that any number of
// drivers, kernels and clauses costs no more than what the window shows.
(() => {
'use strict';

const data = JSON.parse(document.getElementById('data').textContent);
// From worst to best, as runners/report/verdict.h has them; the letters are those of html.c.
const VERDICTS = {
	f: ['fail', '✗'], c: ['crash', 'C'], t: ['timeout', 'T'], e: ['error', 'E'], w: ['warn', '!'],
	r: ['refused', '⊘'], v: ['value', '●'], p: ['pass', '✓'], s: ['skip', '–'],
};
const ORDER = Object.keys(VERDICTS);
const FINDINGS = 'fctewr';
const PRINTED_FINDINGS = 500;
const WIDTH_LABEL = 15, WIDTH_GROUP = 4.6, WIDTH_CLAUSE = 2.1;

const element = (id) => document.getElementById(id);
const table = element('matrix'), search = element('search'), scroll = element('scroll');
const escape = (text) => String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
const plural = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;

// ---- what the rows say ----

const worse = (a, b) => {
	if (a === '.' || b === '.')
		return a === '.' ? b : a;
	return ORDER.indexOf(a) < ORDER.indexOf(b) ? a : b;
};

const rows = data.rows.map((row, index) => ({
	...row, index, evidence: row.evidence || 'not run',
	text: [row.driver, row.vendor, row.role, row.kernel, row.evidence || 'not run', row.origin,
		...(row.profile ? [row.profile[0]] : [])].join(' ').toLowerCase(),
	worst: data.columns.map(([, , checks]) => checks.reduce((worst, check) => worse(worst, row.cells[check]), '.')),
	tr: null, filled: false,
}));

function tally(row, group) {
	const [, , first, count] = data.groups[group];
	const result = { worst: '.', run: 0, kept: 0, counts: {} };

	for (const letter of row.worst.slice(first, first + count)) {
		result.worst = worse(result.worst, letter);
		if (letter === '.')
			continue;
		result.run++;
		result.kept += letter === 'p' || letter === 'v';
		result.counts[letter] = (result.counts[letter] || 0) + 1;
	}
	return result;
}

const inWords = (counts) => ORDER.filter((letter) => counts[letter])
	.map((letter) => `${counts[letter]} ${VERDICTS[letter][0]}`).join(', ');
const reasonsOf = (row, check) => row.why[check] || [];

// ---- columns: a group as one, or its clauses ----

const open = new Set();
let chosen = null;	// clauses that the search asks for, or null
let columns = [];

function chooseColumns() {
	columns = [];
	data.groups.forEach(([, , first, count], group) => {
		const clauses = Array.from({ length: count }, (_, i) => first + i);

		if (chosen)
			columns.push(...clauses.filter((clause) => chosen.has(clause)).map((clause) => ({ group, clause })));
		else if (open.has(group))
			columns.push(...clauses.map((clause) => ({ group, clause })));
		else
			columns.push({ group });
	});
}

function headOf() {
	let top = '', bottom = '', at = 0;

	while (at < columns.length) {
		const { group, clause } = columns[at];
		const [name, title] = data.groups[group];
		let end = at + 1;

		while (end < columns.length && clause !== undefined && columns[end].group === group)
			end++;
		top += `<th scope=col ${clause === undefined ? 'rowspan=2' : `colspan=${end - at}`} title="${escape(title)}">` +
			`<button type=button data-group=${group} aria-expanded=${clause !== undefined}>${escape(name)}</button></th>`;
		for (; clause !== undefined && at < end; at++) {
			const [id, text] = data.columns[columns[at].clause];

			bottom += `<th scope=col title="${escape(id)}: ${escape(text)}" aria-label="${escape(id)}">` +
				`${escape(id.includes('-') ? id.split('-')[1] : '')}</th>`;
		}
		at = end;
	}
	return `<thead><tr><th scope=col rowspan=2>driver, role, kernel, evidence</th>${top}</tr><tr>${bottom}</tr></thead>`;
}

function cellOf(row, column) {
	if (column.clause !== undefined) {
		const letter = row.worst[column.clause];

		return letter === '.' ? '<td class=v-none tabindex=-1></td>' :
			`<td class=v-${letter} tabindex=-1 aria-label=${VERDICTS[letter][0]}>` +
			`${VERDICTS[letter][1]}</td>`;
	}
	const { worst, run, kept, counts } = tally(row, column.group);
	// Observations are no news beside clauses that were kept.
	const letter = worst === 'v' && counts.p ? 'p' : worst;
	const count = row.origin === 'read' ? run : `${kept}/${run}`;

	return run ? `<td class=v-${letter} tabindex=-1 title="${inWords(counts)}" ` +
		`aria-label="${data.groups[column.group][0]}: ${inWords(counts)}">${VERDICTS[letter][1]} ${count}</td>` :
		'<td class=v-none tabindex=-1></td>';
}

const labelOf = (row) => `<b>${escape(row.driver)}</b>${row.incidents ? ' <span title="incidents">⚠</span>' : ''}<br>` +
	`<small>${escape(row.role)} · ${escape(row.kernel)} · ${escape(row.evidence)}</small>`;

function fill(row) {
	if (row.filled)
		return;
	row.filled = true;
	row.tr.innerHTML = `<th scope=row tabindex=-1>${labelOf(row)}</th>${columns.map((column) => cellOf(row, column)).join('')}`;
}

const watcher = new IntersectionObserver((entries) => {
	for (const entry of entries)
		if (entry.isIntersecting)
			fill(rows[entry.target.dataset.row]);
}, { root: scroll, rootMargin: '150px' });

// Rows out of view keep their label, so that the browser's own search finds them.
function draw() {
	chooseColumns();
	const widths = columns.map((column) => column.clause === undefined ? WIDTH_GROUP : WIDTH_CLAUSE);
	const label = window.innerWidth < 720 ? WIDTH_LABEL * 0.85 : WIDTH_LABEL;
	const whole = widths.reduce((sum, width) => sum + width, label);

	watcher.disconnect();
	table.innerHTML = `<colgroup><col style="width:${label}em">${widths.map((width) => `<col style="width:${width}em">`).join('')}` +
		`</colgroup>${headOf()}<tbody>${rows.map((row) => `<tr data-row=${row.index} class=${row.origin || 'none'}` +
		`${row.hidden ? ' hidden' : ''}><th scope=row tabindex=-1>${labelOf(row)}</th></tr>`).join('')}</tbody>`;
	table.style.width = `${whole}em`;
	for (const tr of table.tBodies[0].rows) {
		const row = rows[tr.dataset.row];

		row.tr = tr;
		row.filled = false;
		watcher.observe(tr);
	}
	setCurrent(firstShown(), 0, false);
}

// ---- search and filters ----

function clausesFor(word) {
	const wanted = word.toUpperCase();
	const group = data.groups.findIndex(([name]) => name.toUpperCase() === wanted);
	const found = new Set();

	data.columns.forEach(([id, , checks], clause) => {
		const inGroup = group >= 0 && clause >= data.groups[group][2] && clause < data.groups[group][2] + data.groups[group][3];

		if (inGroup || (wanted.includes('-') && (id.toUpperCase().startsWith(wanted) ||
		    checks.some((check) => data.checks[check][0].toUpperCase().startsWith(wanted)))))
			found.add(clause);
	});
	return found;
}

const verdictOf = (word) => ORDER.find((letter) => VERDICTS[letter][0] === word);

function textsWith(word) {
	const found = new Set();

	data.texts.forEach((text, place) => {
		if (place && text.toLowerCase().includes(word))
			found.add(place);
	});
	return found;
}

const hasReason = (row, places) => places.size && Object.values(row.why)
	.some((reasons) => reasons.some((reason) => Array.isArray(reason) && places.has(reason[0])));

const inShown = (row, letter) => row.worst.some((worst, clause) => worst === letter && (!chosen || chosen.has(clause)));

function testsOf(words) {
	return words.map((word) => {
		const letter = verdictOf(word);
		const places = letter ? null : textsWith(word);

		return letter ? (row) => inShown(row, letter) : (row) => row.text.includes(word) || hasReason(row, places);
	});
}

function filter() {
	const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
	const before = chosen && [...chosen].join();
	const rest = [];

	chosen = null;
	for (const word of words) {
		const clauses = clausesFor(word);

		if (clauses.size)
			chosen = new Set([...(chosen || []), ...clauses]);
		else
			rest.push(word);
	}
	const tests = testsOf(rest);
	const picked = ['role', 'kernel', 'evidence'].map((name) => [name, element(name).value]).filter(([, value]) => value);
	const fits = (row, name, value) => row[name] === value || (name === 'evidence' && row.origin === value);

	for (const row of rows)
		row.hidden = !(picked.every(([name, value]) => fits(row, name, value)) && tests.every((test) => test(row)));
	if (before !== (chosen && [...chosen].join()) || !table.tBodies.length)
		draw();
	else
		rows.forEach((row) => { row.tr.hidden = row.hidden; });
	const shown = rows.filter((row) => !row.hidden).length;

	element('count').textContent = `${shown} of ${plural(rows.length, 'row')}`;
	setCurrent(firstShown(), 0, false);
}

function fillSelect(name) {
	const values = [...new Set(rows.map((row) => row[name]))];

	values.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
	if (name === 'evidence')
		values.unshift('measured');
	element(name).innerHTML = `<option value="">all</option>${values.map((value) => `<option>${escape(value)}</option>`).join('')}`;
	element(name).addEventListener('change', filter);
}

// ---- reasons ----

function reasonText(row, reason) {
	if (reason === true)
		return "<div class=reason>Only the suite's own importer took part.</div>";
	if (!Array.isArray(reason))
		return `<div class=reason>and ${plural(reason, 'more reason')}</div>`;
	const [text, where, pair, known] = reason.map((place) => escape(data.texts[place]));

	return `<div class=reason>${text || '(no reason given)'}${where ? `<div class=where>${where} on ${pair}</div>` : ''}` +
		`${known ? `<div class=where>known: ${known}</div>` : ''}</div>`;
}

function checkText(row, check) {
	const [id, strength, party, text] = data.checks[check];
	const letter = row.cells[check];
	const verdict = letter === '.' ? 'not run' : VERDICTS[letter][0];

	return `<div class=check><span class="sign v-${letter}">${letter === '.' ? '' : VERDICTS[letter][1]}</span> <b>${escape(id)}</b> ` +
		`${verdict} <span class=where>${escape(strength)} ${escape(party)}</span><div>${escape(text)}</div>` +
		`${reasonsOf(row, check).map((reason) => reasonText(row, reason)).join('')}</div>`;
}

// Of what was only read, everything is worth a look.
const findingsOf = (row) => data.checks.map((_, check) => check)
	.filter((check) => row.origin === 'read' ? row.cells[check] !== '.' : FINDINGS.includes(row.cells[check]));

function profileText([met, next]) {
	return `<p>Profile of conformance that is met: <b>${escape(met)}</b>.` +
		`${next ? ` Next is ${escape(next)}.` : ''}</p>`;
}

function aboutRow(row) {
	const origin = { measured: `evidence ${escape(row.evidence)}, measured on ${escape(row.release)} with suite ${escape(row.suite)}` +
		`${row.iommu ? `, IOMMU: ${escape(row.iommu)}` : ''}`,
		read: 'read in the source, measured by nobody' }[row.origin] || 'not run';
	const incidents = (row.incidents || []).map((incident) => `<div class=check><b>${escape(incident.clause)}</b> ` +
		`${escape(incident.verdict)}, which judges nobody: ${escape(incident.text)}<div class=where>${escape(incident.case)} on ` +
		`${escape(incident.pair)}</div></div>`).join('');

	return `<p>${escape(row.vendor)}${row.vendor ? ', ' : ''}${escape(row.role)}, kernel ${escape(row.kernel)}: ` +
		`${origin}.</p>` +
		`${row.read ? `<p>In its source: ${escape(row.read)}. <a href="#facts-${escape(row.fact)}">Facts</a></p>` : ''}` +
		`${row.profile ? profileText(row.profile) : ''}${incidents}`;
}

function checksOf(row, column) {
	if (!column)
		return findingsOf(row);
	if (column.clause !== undefined)
		return data.columns[column.clause][2];
	const [, , first, count] = data.groups[column.group];

	return data.columns.slice(first, first + count).flatMap(([, , checks]) => checks)
		.filter((check) => row.cells[check] !== '.')
		.sort((a, b) => ORDER.indexOf(row.cells[a]) - ORDER.indexOf(row.cells[b]) || a - b);
}

const ABOUT = { measured: 'what is not well, or was refused', read: 'what its source lets one expect' };

function showDetails(row, column) {
	const checks = checksOf(row, column);
	const about = !column ? ABOUT[row.origin] || 'not run' :
		column.clause === undefined ? data.groups[column.group].slice(0, 2).join(', ') : data.columns[column.clause][0];

	element('details-title').textContent = `${row.driver}: ${about}`;
	element('details-body').innerHTML = aboutRow(row) + (checks.map((check) => checkText(row, check)).join('') ||
		`<p>${column || row.origin !== 'measured' ? 'Nothing was run.' : 'Nothing.'}</p>`);
	element('details').hidden = false;
	element('details').scrollTop = 0;
	element('details').focus();
}

// ---- keys ----

let current = null;	// the cell that the Tab key comes to

const firstShown = () => rows.find((row) => !row.hidden);

function setCurrent(row, cell, focus) {
	if (current)
		current.tabIndex = -1;
	current = null;
	if (!row)
		return;
	fill(row);
	current = row.tr.cells[Math.max(0, Math.min(cell, columns.length))];
	current.tabIndex = 0;
	if (focus) {
		current.focus();
		current.scrollIntoView({ block: 'nearest', inline: 'nearest' });
	}
}

function neighbour(row, step) {
	for (let index = row.index + step; rows[index]; index += step)
		if (!rows[index].hidden)
			return rows[index];
	return row;
}

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -1e6], End: [0, 1e6] };

function gridKey(event, cell) {
	const row = rows[cell.parentNode.dataset.row];
	const step = STEPS[event.key];

	if (event.key === 'Enter' || event.key === ' ')
		showDetails(row, columns[cell.cellIndex - 1]);
	else if (step)
		setCurrent(step[0] ? neighbour(row, step[0]) : row, cell.cellIndex + step[1], true);
	else
		return;
	event.preventDefault();
}

function toggleAll() {
	if (open.size)
		open.clear();
	else
		data.groups.forEach((_, group) => open.add(group));
	element('expand').textContent = open.size ? 'Groups' : 'All clauses';
	draw();
}

function closeDetails() {
	element('details').hidden = true;
	if (current)
		current.focus();
}

function escapeKey() {
	if (!element('details').hidden) {
		closeDetails();
	} else if (search.value) {
		search.value = '';
		filter();
	}
}

document.addEventListener('keydown', (event) => {
	const cell = event.target.closest && event.target.closest('tbody th, tbody td');

	if (event.ctrlKey || event.altKey || event.metaKey)
		return;
	if (event.key === 'Escape')
		escapeKey();
	else if (cell)
		gridKey(event, cell);
	else if (event.target === search && (event.key === 'Enter' || event.key === 'ArrowDown'))
		setCurrent(firstShown(), 0, true);
	if (event.defaultPrevented || event.target.matches('input, select'))
		return;
	if (event.key === '/') {
		event.preventDefault();
		search.select();
	} else if (event.key === 'e') {
		toggleAll();
	}
});

table.addEventListener('click', (event) => {
	const button = event.target.closest('button');
	const cell = event.target.closest('tbody th, tbody td');

	if (button) {
		const group = Number(button.dataset.group);

		if (!open.delete(group))
			open.add(group);
		draw();
		table.querySelector(`button[data-group="${group}"]`).focus();
	} else if (cell) {
		const row = rows[cell.parentNode.dataset.row];

		setCurrent(row, cell.cellIndex, true);
		showDetails(row, columns[cell.cellIndex - 1]);
	}
});

// A link to facts opens them.
element('details-body').addEventListener('click', (event) => {
	const link = event.target.closest('a');

	if (!link)
		return;
	element('details').hidden = true;
	document.querySelector(`[id="${link.getAttribute('href').slice(1)}"]`).open = true;
});

// ---- paper has no cell to open: what is not well is listed behind the table ----

function listOf(title, shown) {
	const list = shown.flatMap((row) => findingsOf(row).map((check) => [row, check]));
	const lines = list.slice(0, PRINTED_FINDINGS).map(([row, check]) => `<div>${escape(row.driver)}, ${escape(row.role)}, ` +
		`${escape(row.kernel)} (${escape(row.evidence)}): ${escape(data.checks[check][0])} ${VERDICTS[row.cells[check]][0]}: ` +
		`${escape(data.texts[(reasonsOf(row, check)[0] || [0])[0]])}</div>`);

	if (list.length > lines.length)
		lines.push(`<p>and ${list.length - lines.length} more</p>`);
	return lines.length ? `<h2>${title}</h2>${lines.join('')}` : '';
}

window.addEventListener('beforeprint', () => {
	const shown = rows.filter((row) => !row.hidden);

	shown.forEach(fill);
	element('findings').innerHTML =
		listOf('Measured: what is not well, or was refused', shown.filter((row) => row.origin === 'measured')) +
		listOf('Read in the sources, measured by nobody', shown.filter((row) => row.origin === 'read'));
});

for (const legend of document.querySelectorAll('.legend'))
	legend.innerHTML = ORDER.map((letter) => `<span><i class="sign v-${letter}">${VERDICTS[letter][1]}</i> ${VERDICTS[letter][0]}</span>`).join(' ');
element('expand').addEventListener('click', toggleAll);
element('close').addEventListener('click', closeDetails);
element('controls').addEventListener('submit', (event) => event.preventDefault());
search.addEventListener('input', filter);
['role', 'kernel', 'evidence'].forEach(fillSelect);
filter();
})();
