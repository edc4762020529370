// SPDX-License-Identifier: GPL-2.0-only
// Uses the page of the driver matrix as people do, by keys alone, on a phone, in the dark and on paper, and prints
// TAP. tests/meta/bats/page.bats says what is on the page.
//
// usage: matrix.js PAGE [FOLDER]		pictures of all that go to FOLDER
'use strict';

const fs = require('fs');
const path = require('path');
const { Browser } = require('./browser.js');

const [page, folder] = process.argv.slice(2);
const PHONE = { width: 390, height: 844, mobile: true };
const SMALL_PHONE = { width: 320, height: 568, mobile: true };
// A4 across, with the page's own margins, in pixels of CSS.
const PAPER = { width: Math.floor(277 / 25.4 * 96), height: Math.floor(190 / 25.4 * 96), media: 'print' };
const LOOKS = {
	'desktop-light': {}, 'desktop-dark': { scheme: 'dark' },
	'phone-light': PHONE, 'phone-dark': { ...PHONE, scheme: 'dark' },
};

const browser = new Browser();
let count = 0;

function check(what, good) {
	process.stdout.write(`${good ? 'ok' : 'not ok'} ${++count} - ${what}\n`);
}

// is(what, expression): it is true in the page, and does not fail for what is not there.
async function is(what, expression) {
	check(what, await browser.ask(`(() => { try { return (${expression}) === true; } catch { return false; } })()`));
}

const FOCUS = `(document.activeElement.id || document.activeElement.tagName)`;
const SHOWN = `[...document.querySelectorAll('#matrix tbody tr:not([hidden])')]`;
const HEADS = `document.querySelectorAll('#matrix thead tr:nth-child(2) th').length`;

async function picture(name, whole) {
	if (folder)
		await browser.picture(path.join(folder, `${name}.png`), whole);
}

// Nothing of this is done with a mouse, and nothing by the page's script for a key that was not pressed.
async function useKeys() {
	await browser.press('/', ...'vgem');
	await is('keys: / and words search', `${SHOWN}.length === 1 && ${SHOWN}[0].innerText.startsWith('vgem')`);
	await browser.press('Escape');
	await is('keys: Escape shows all again', `${SHOWN}.length > 1 && ${FOCUS} === 'search'`);
	await browser.press('Tab', 'ArrowDown');
	await is('keys: Tab comes to the role, and an arrow chooses', `${FOCUS} === 'role' && ${SHOWN}.every((row) => /exporter/.test(row.innerText))`);
	await browser.press('ArrowUp', 'Tab', 'Tab', 'ArrowDown');
	await is('keys: and to the evidence', `${FOCUS} === 'evidence' && ${SHOWN}.every((row) => row.className === 'measured')`);
	await browser.press('ArrowUp', 'Tab', 'Enter');
	await is('keys: all clauses', `${FOCUS} === 'expand' && ${HEADS} > 100`);
	await browser.press('Enter', 'Tab', 'Enter');
	await is('keys: the help opens', `document.getElementById('help').open && ${HEADS} === 0`);
	await browser.press('Enter', 'Tab', 'Enter');
	await is('keys: a group opens, and the focus stays there', `document.activeElement.getAttribute('aria-expanded') === 'true' && ${HEADS} > 3`);
	await browser.press('Enter');
	await browser.press('/', ...'efa emulated', 'Enter');
	await is('keys: Enter leads from the search to what it found', `document.activeElement.closest('tr').innerText.startsWith('efa')`);
	await browser.press('ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter');
	await is('keys: Enter opens a cell, with its reasons', `!document.getElementById('details').hidden &&
		document.getElementById('details').contains(document.activeElement) && /so it was/.test(document.getElementById('details').innerText)`);
	await browser.press('Escape');
	await is('keys: Escape goes back to the cell', `document.getElementById('details').hidden && document.activeElement.cellIndex === 4`);
	await browser.press('Home', 'Enter', 'Tab', 'Tab', 'Enter');
	await is('keys: from a row to the facts of its driver', `document.getElementById('facts-efa').open && document.getElementById('details').hidden &&
		location.hash === '#facts-efa'`);
	await browser.press('Tab');
	await is('keys: and on from there', `document.activeElement.closest('#facts') !== null`);
}

// Contrast of all text that is shown, as WCAG counts it: an array of what is below 4.5.
const CONTRAST = `(() => {
	const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
	const parse = (color) => {
		canvas.clearRect(0, 0, 1, 1);
		canvas.fillStyle = color;
		canvas.fillRect(0, 0, 1, 1);
		return [...canvas.getImageData(0, 0, 1, 1).data];
	};
	const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
		.reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
	const behind = (element) => {
		for (; element; element = element.parentElement) {
			const color = parse(getComputedStyle(element).backgroundColor);
			if (color[3] === 255)
				return color;
		}
		return parse(getComputedStyle(document.documentElement).colorScheme === 'dark' ? '#121212' : '#fff');
	};
	const low = new Set();
	for (const element of document.querySelectorAll('body *')) {
		const text = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
		if (!text || !element.checkVisibility() || /SCRIPT|STYLE|NOSCRIPT|OPTION/.test(element.tagName))
			continue;
		const pair = [light(parse(getComputedStyle(element).color)), light(behind(element))].sort((a, b) => b - a);
		const ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
		if (ratio < 4.5)
			low.add(\`\${element.tagName}.\${element.className} "\${element.textContent.slice(0, 20)}" \${ratio.toFixed(2)}\`);
	}
	return [...low];
})()`;

async function look(name, view) {
	await browser.show(view);
	await browser.open(page);
	await browser.ask(`document.getElementById('help').open = true`);
	await picture(name);
	const low = await browser.ask(CONTRAST);

	check(`${name}: all text can be read${low.length ? ` (${low.slice(0, 5).join('; ')})` : ''}`, !low.length);
	await is(`${name}: the page is as wide as the window`, `document.scrollingElement.scrollWidth <= innerWidth`);
	await browser.ask(`document.querySelector('#matrix tr.measured td:not(.v-none)').click()`);
	await is(`${name}: reasons are within the window`, `(({ left, right, top, bottom }) => left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight + 1)(
		document.getElementById('details').getBoundingClientRect())`);
	await picture(`${name}-reasons`);
	const lower = await browser.ask(CONTRAST);

	check(`${name}: so can the reasons${lower.length ? ` (${lower.slice(0, 5).join('; ')})` : ''}`, !lower.length);
}

async function lookAtPhones() {
	for (const view of [PHONE, SMALL_PHONE]) {
		await browser.show(view);
		await browser.open(page);
		await is(`${view.width} pixels: names leave room for cells`, `document.querySelector('#matrix tbody th').offsetWidth < innerWidth * 0.6`);
		await is(`${view.width} pixels: nothing beside the table needs to be moved sideways`,
			`[...document.querySelectorAll('body *')].filter((element) => element.checkVisibility() && !element.closest('#scroll'))
				.every((element) => element.getBoundingClientRect().right <= innerWidth + 1)`);
		await is(`${view.width} pixels: fingers find what they can touch`,
			`[...document.querySelectorAll('#controls input, #controls select, #controls button')].every((element) => element.offsetHeight >= 32)`);
	}
}

async function print() {
	await browser.show(PAPER);
	await browser.open(page);
	await browser.ask(`window.dispatchEvent(new Event('beforeprint'))`);
	await picture('paper');
	await is('paper: no controls', `!document.getElementById('controls').checkVisibility() && !document.getElementById('help').checkVisibility()`);
	await is('paper: what the signs mean', `[...document.querySelectorAll('.legend')].some((legend) => legend.checkVisibility())`);
	await is('paper: all that is not well is listed', `document.getElementById('findings').checkVisibility()`);
	await is('paper: the table fits', `document.getElementById('matrix').offsetWidth <= innerWidth && document.scrollingElement.scrollWidth <= innerWidth`);
	await browser.show({ ...PAPER, scheme: 'dark' });
	await is('paper: is white, also where the screen is dark', `/^rgb\\(255, 255, 255\\)$/.test(getComputedStyle(document.body).backgroundColor)`);
	check('paper: it can be printed', (await browser.paper()).startsWith('%PDF'));
}

async function main() {
	await browser.start();
	await browser.show();
	await browser.open(page);
	for (const [what, good] of await browser.ask(fs.readFileSync(path.join(__dirname, 'inside.js'), 'utf8')))
		check(what, good);
	await browser.open(page);
	await useKeys();
	for (const [name, view] of Object.entries(LOOKS))
		await look(name, view);
	await lookAtPhones();
	await print();
	check(`the page asks for nothing but itself: ${[...new Set(browser.requests)].join(' ')}`,
		browser.requests.every((url) => url.split('#')[0] === `file://${path.resolve(page)}`));
	check(`the browser has no complaint ${browser.faults.join('; ')}`, !browser.faults.length);
}

main().catch((error) => check(String(error.stack).replace(/\n\s*/g, '; '), false)).finally(async () => {
	process.stdout.write(`1..${count}\n`);
	await browser.close();
});
