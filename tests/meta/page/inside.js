// SPDX-License-Identifier: GPL-2.0-only
// Looks at the matrix page from inside of it; tests/meta/bats/page.bats says what is on the page. Its value is an
// array of [what was looked at, whether it is so].
(() => {
'use strict';

const results = [];
const search = document.getElementById('search'), details = document.getElementById('details');

function check(what, good) {
	results.push([String(what), good]);
}

function find(text) {
	search.value = text;
	search.dispatchEvent(new Event('input'));
}

function press(key, where = document.activeElement) {
	where.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
}

const shown = () => [...document.querySelectorAll('#matrix tbody tr:not([hidden])')];
const names = () => shown().map((row) => row.cells[0].innerText.replace(/\s+/g, ' ').trim()).join('; ');
const heads = () => [...document.querySelectorAll('#matrix thead tr:nth-child(2) th')].map((head) => head.getAttribute('aria-label'));
const count = () => document.getElementById('count').textContent;

function choose(name, value) {
	document.getElementById(name).value = value;
	document.getElementById(name).dispatchEvent(new Event('change'));
}

try {
	window.dispatchEvent(new Event('beforeprint'));
	check('every row has a cell for each group', shown().every((row) => row.cells.length === shown()[0].cells.length));
	check('what nobody ran is empty', shown().filter((row) => row.className === 'none')
		.every((row) => [...row.cells].slice(1).every((cell) => cell.innerText === '')));
	check('what was read has rows of its own', shown().some((row) => row.className === 'read' && /source/.test(row.innerText)));
	check('paper keeps both apart', /Measured:[^]*so it was[^]*Read in the sources[^]*its source says so/
		.test(document.getElementById('findings').textContent));

	press('/', document.body);
	check('/ leads to the search', document.activeElement === search);
	find('vgem');
	check('a driver by its name', names() === 'vgem exporter · 6.9 · software' && /^1 of/.test(count()));
	find('a maker 6.8');
	check('vendor and kernel, both must fit', shown().length > 0 && shown().every((row) => /6\.8/.test(row.innerText)));
	find('fail');
	check('a verdict', names() === 'efa importer · 6.9 · emulated');
	find('SO IT WAS');
	check('words of a reason', names() === 'efa importer · 6.9 · emulated');
	find('nothing like that');
	check('nothing to find, nothing shown', shown().length === 0 && /^0 of/.test(count()));
	find('PIN-08');
	check('a clause keeps its column alone', heads().join() === 'PIN-08');
	find('pin');
	check('a group keeps its clauses', heads().length > 5 && heads().every((id) => id.startsWith('PIN-')));
	press('Escape', search);
	check('Escape clears the search', search.value === '' && heads().length === 0);
	choose('evidence', 'measured');
	check('only what was measured', shown().length === 2 && shown().every((row) => row.className === 'measured'));
	choose('evidence', '');

	find('vgem');
	press('e', document.body);
	check('e shows all clauses', heads().includes('PIN-09') && heads().length > 100);
	press('e', document.body);
	document.querySelector('#matrix button').click();
	check('a group opens', heads().length > 0 && heads().every((id) => id.startsWith('EXP-')));
	check('and tells so', document.querySelector('#matrix button').getAttribute('aria-expanded') === 'true');
	document.querySelector('#matrix button').click();

	find('efa emulated');
	document.querySelector('#matrix [tabindex="0"]').focus();
	press('End');
	press('Home');
	for (let steps = 0; steps < 4; steps++)
		press('ArrowRight');
	check('arrows go from cell to cell', document.activeElement.cellIndex === 4);
	press('Enter');
	check('Enter gives the reasons', !details.hidden && /PIN-08\.a fail[^]*so it was[^]*pin\.one on drm:vgem,verbs:efa_0/.test(details.innerText));
	press('Escape');
	check('Escape closes them', details.hidden && document.activeElement.cellIndex === 4);
	press('Home');
	press('Enter');
	check('a row tells what its source says', /In its source: Attach pinned/.test(details.innerText));
	details.querySelector('a').click();
	check('and leads to the facts', document.getElementById('facts-efa').open && details.hidden);
	find('');
	check('all is back', /^(\d+) of \1 rows/.test(count()));
} catch (error) {
	check(error, false);
}
return results;
})();
