// SPDX-License-Identifier: GPL-2.0-only
// Checks that npm's TAP parser reads in a run.tap what run.json says: each leaf once, and as it was.
//
// usage: tap.js FOLDER...	result folders
'use strict';

const fs = require('fs');
const path = require('path');
const parser = require('tap-parser');

const Parser = parser.Parser || parser;
const BAD = ['fail', 'crash', 'timeout', 'error'];
const SKIPPED = ['skip', 'refused'];

function read(file) {
	const found = new Map();
	const faults = [];
	let counts = null;
	const tap = new Parser({ strict: true }, (results) => { counts = results; });

	tap.on('assert', ({ name: text, ok, skip }) => {
		// TIMEOUT and ERROR are directives of KTAP, and text for others.
		const name = text.replace(/ # (TIMEOUT|ERROR) .*/, '');

		if (found.has(name))
			faults.push(`twice: ${name}`);
		found.set(name, !ok ? 'not ok' : skip ? 'skip' : 'ok');
	});
	tap.on('extra', (text) => faults.push(`no TAP: ${text}`));
	tap.end(fs.readFileSync(file, 'utf8'));
	return { found, faults, counts };
}

function leafName({ exporter, importer, program, fault, case: name, clause }) {
	return `${exporter},${importer} ${program}${fault ? `[${fault}]` : ''}.${name} ${clause}`;
}

const resultOf = ({ verdict }) => BAD.includes(verdict) ? 'not ok' : SKIPPED.includes(verdict) ? 'skip' : 'ok';

function check(folder) {
	const run = JSON.parse(fs.readFileSync(path.join(folder, 'run.json'), 'utf8'));
	const { found, faults, counts } = read(path.join(folder, 'run.tap'));
	const { leaves, ok, not_ok: notOk, skipped } = run.totals;

	for (const leaf of run.leaves) {
		const name = leafName(leaf);

		if (found.get(name) !== resultOf(leaf))
			faults.push(`${name}: ${leaf.verdict} is ${found.get(name)}`);
	}
	const said = [found.size, counts.count, counts.pass, counts.fail, counts.skip].join();
	const wanted = [leaves, leaves, ok + skipped, notOk, skipped].join();

	if (said !== wanted)
		faults.push(`counts are ${said}, wanted ${wanted}`);
	for (const failure of counts.failures)
		if (failure.tapError)
			faults.push(failure.tapError);
	for (const fault of faults.slice(0, 10))
		console.error(`${folder}: ${fault}`);
	console.log(`${folder}: ${counts.pass} passed, ${counts.fail} failed, ${counts.skip} skipped`);
	return !faults.length;
}

process.exitCode = process.argv.slice(2).map(check).every(Boolean) ? 0 : 1;
