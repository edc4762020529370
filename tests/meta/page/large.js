// SPDX-License-Identifier: GPL-2.0-only
// Opens a page with as much on it as the driver matrix may one day have, searches it and looks at all clauses, and
// prints TAP. How long things take is told and never judged, since that is the machine's; what is judged is how
// much the page does for it: cells out of view must cost nothing.
//
// usage: large.js PAGE
'use strict';

const { Browser } = require('./browser.js');

const page = process.argv[2];
const WORDS = ['made_up_07', 'hardware', 'fail pin-52', 'generated reason 17'];

const browser = new Browser();
let count = 0;

function check(what, good) {
	process.stdout.write(`${good ? 'ok' : 'not ok'} ${++count} - ${what}\n`);
}

const tell = (what, ms, work) => process.stdout.write(`# ${what.padEnd(52)}${ms.toFixed(0).padStart(6)} ms` +
	`${work === undefined ? '' : `, ${work.toFixed(0).padStart(4)} ms of a processor`}\n`);

// From each key to the frame that shows what it did; and how many elements came with it.
const WATCH = `window.delays = []; window.added = 0;
new MutationObserver((changes) => { for (const change of changes) window.added += change.addedNodes.length; })
	.observe(document.getElementById('matrix'), { childList: true, subtree: true });
addEventListener('keydown', () => {
	const begin = performance.now();
	requestAnimationFrame(() => {
		const { port1, port2 } = new MessageChannel();
		port1.onmessage = () => window.delays.push(performance.now() - begin);
		port2.postMessage(0);
	});
}, true); undefined`;

async function pressWatched(...keys) {
	await browser.ask('window.delays = []; window.added = 0; undefined');
	const before = await browser.work();

	await browser.press(...keys);
	await browser.until(`window.delays.length >= ${keys.length}`);
	const work = (await browser.work() - before) / keys.length;
	const delays = (await browser.ask('window.delays')).sort((a, b) => a - b);

	return { longest: delays[delays.length - 1], work, added: await browser.ask('window.added') };
}

async function open() {
	await browser.open(page);
	const times = await browser.ask(`(({ responseEnd, domInteractive, loadEventEnd }) => [responseEnd, domInteractive, loadEventEnd])(
		performance.getEntriesByType('navigation')[0])`);
	const paint = await browser.ask(`new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntries()[0].startTime))
		.observe({ type: 'paint', buffered: true }))`);

	tell('opened: until it can be used', times[1], await browser.work());
	tell('opened: until something is seen', paint);
}

async function main() {
	const cells = `document.querySelectorAll('#matrix td').length`;
	const rows = `document.querySelectorAll('#matrix tbody tr').length`;
	const columns = `document.querySelectorAll('#matrix col').length`;

	await browser.start();
	await browser.show();
	await open();
	check(`${await browser.ask(rows)} rows are there`, await browser.ask(`${rows} >= 400`));
	check('cells that nobody sees are not made', await browser.ask(`${cells} > 0 && ${cells} * 4 < ${rows} * ${columns}`));
	await browser.ask(WATCH);
	await browser.press('/');
	for (const word of WORDS) {
		const { longest, work, added } = await pressWatched(...word);

		tell(`"${word}": the longest key, and a mean one`, longest, work);
		check(`"${word}" finds something, and not all`, await browser.ask(
			`(({ length }) => length > 0 && length < ${rows})(document.querySelectorAll('#matrix tbody tr:not([hidden])'))`));
		check(`"${word}": a key makes no more than what it shows (${added} elements for ${word.length} keys)`,
			added < word.length * await browser.ask(`${rows} * 3`));
		const cleared = await pressWatched('Escape');

		tell('  all again', cleared.longest, cleared.work);
	}
	await browser.ask('document.activeElement.blur()');
	const opened = await pressWatched('e');

	tell('all clauses', opened.longest, opened.work);
	check('all clauses are there', await browser.ask(`${columns} > 250`));
	check('and their cells only where they are seen', await browser.ask(`${cells} * 8 < ${rows} * ${columns}`));
	const closed = await pressWatched('e');

	tell('groups again', closed.longest, closed.work);
}

main().catch((error) => check(String(error.stack).replace(/\n\s*/g, '; '), false)).finally(async () => {
	process.stdout.write(`1..${count}\n`);
	await browser.close();
});
