// SPDX-License-Identifier: GPL-2.0-only
// A browser without a screen, driven over pipes by the DevTools protocol: what is pressed here arrives
// there as a person's key would, with all that the browser itself does about it.
'use strict';

const fs = require('fs');
const os = require('os');
const path = require('path');
const { spawn } = require('child_process');

const PROGRAM = process.env.CTS_BROWSER || 'chromium-headless-shell';
// A slow machine that is busy with other things needs long; nothing else bounds a wait.
const PATIENCE_MS = 120000;

// Keys that type nothing by themselves: what they are called, and their number.
const KEYS = {
	Tab: 9, Enter: 13, Escape: 27, ' ': 32, End: 35, Home: 36, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39,
	ArrowDown: 40, Backspace: 8,
};

const delay = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

class Browser {
	constructor() {
		this.profile = fs.mkdtempSync(path.join(os.tmpdir(), 'browser.'));
		this.log = path.join(this.profile, 'log');
		this.next = 1;
		this.waiting = new Map();
		this.requests = [];
		this.faults = [];
	}

	async start() {
		const out = fs.openSync(this.log, 'w');

		this.process = spawn(PROGRAM, ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
			'--no-first-run', '--hide-scrollbars', '--remote-debugging-pipe', `--user-data-dir=${this.profile}`, 'about:blank'],
		{ stdio: ['ignore', out, out, 'pipe', 'pipe'], env: { ...process.env, HOME: this.profile } });
		this.process.on('error', (error) => this.end(error));
		this.process.on('exit', () => this.end(new Error(`the browser ended:\n${fs.readFileSync(this.log, 'utf8').slice(-2000)}`)));
		this.process.stdio[3].on('error', () => {});
		this.listen(this.process.stdio[4]);
		const { targetInfos } = await this.send('Target.getTargets');
		const page = targetInfos.find(({ type }) => type === 'page');

		({ sessionId: this.session } = await this.send('Target.attachToTarget', { targetId: page.targetId, flatten: true }));
		for (const domain of ['Page', 'Runtime', 'Network', 'Log'])
			await this.send(`${domain}.enable`);
		// By the clock of its thread, so that other work of the machine does not count.
		await this.send('Performance.enable', { timeDomain: 'threadTicks' });
	}

	listen(pipe) {
		let text = '';

		pipe.setEncoding('utf8');
		pipe.on('data', (data) => {
			text += data;
			for (let end = text.indexOf('\0'); end >= 0; end = text.indexOf('\0')) {
				this.take(JSON.parse(text.slice(0, end)));
				text = text.slice(end + 1);
			}
		});
	}

	take({ id, method, params, result, error }) {
		const waiting = this.waiting.get(id);

		if (waiting) {
			this.waiting.delete(id);
			if (error)
				waiting.reject(new Error(`${waiting.method}: ${error.message}`));
			else
				waiting.resolve(result);
		} else if (method === 'Network.requestWillBeSent') {
			this.requests.push(params.request.url);
		} else if (method === 'Runtime.exceptionThrown') {
			this.faults.push(params.exceptionDetails.exception?.description || params.exceptionDetails.text);
		} else if (method === 'Log.entryAdded' && params.entry.level === 'error') {
			this.faults.push(params.entry.text);
		}
	}

	end(error) {
		for (const { reject } of this.waiting.values())
			reject(error);
		this.waiting.clear();
	}

	send(method, params = {}) {
		const id = this.next++;

		return new Promise((resolve, reject) => {
			const timer = setTimeout(() => reject(new Error(`${method}: no answer`)), PATIENCE_MS);

			this.waiting.set(id, {
				method,
				resolve: (value) => { clearTimeout(timer); resolve(value); },
				reject: (error) => { clearTimeout(timer); reject(error); },
			});
			this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: this.session })}\0`);
		});
	}

	// The value of an expression in the page.
	async ask(expression) {
		const { result, exceptionDetails } = await this.send('Runtime.evaluate',
			{ expression, returnByValue: true, awaitPromise: true });

		if (exceptionDetails)
			throw new Error(exceptionDetails.exception?.description || exceptionDetails.text);
		return result.value;
	}

	// How long the page has kept a processor busy since it was opened, in ms.
	async work() {
		const { metrics } = await this.send('Performance.getMetrics');

		return 1000 * metrics.find(({ name }) => name === 'TaskDuration').value;
	}

	// Until it is true in the page.
	async until(expression) {
		for (let waited = 0; !await this.ask(expression); waited += 20) {
			if (waited > PATIENCE_MS)
				throw new Error(`never came true: ${expression}`);
			await delay(20);
		}
	}

	async open(file) {
		this.requests = [];
		await this.send('Page.navigate', { url: `file://${path.resolve(file)}` });
		await this.until(`document.readyState === 'complete' && location.protocol === 'file:'`);
	}

	async show({ width = 1280, height = 800, mobile = false, scheme = 'light', media = '' } = {}) {
		await this.send('Emulation.setDeviceMetricsOverride', { width, height, mobile, deviceScaleFactor: mobile ? 2 : 1 });
		await this.send('Emulation.setEmulatedMedia', { media, features: [{ name: 'prefers-color-scheme', value: scheme }] });
	}

	async press(...keys) {
		for (const key of keys) {
			const number = KEYS[key] || key.toUpperCase().charCodeAt(0);
			const text = { Enter: '\r', ' ': ' ' }[key] || (KEYS[key] ? '' : key);
			const event = { key, code: KEYS[key] ? key : '', windowsVirtualKeyCode: number };

			await this.send('Input.dispatchKeyEvent', { type: text ? 'keyDown' : 'rawKeyDown', ...event, text });
			await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
		}
	}

	async picture(file, whole = false) {
		const { data } = await this.send('Page.captureScreenshot', { format: 'png', captureBeyondViewport: whole });

		fs.writeFileSync(file, Buffer.from(data, 'base64'));
	}

	// What a printer would get, as PDF.
	async paper() {
		const { data } = await this.send('Page.printToPDF', { preferCSSPageSize: true });

		return Buffer.from(data, 'base64').toString('latin1');
	}

	async close() {
		const ended = new Promise((resolve) => { this.process.once('exit', resolve); });

		this.session = undefined;
		this.send('Browser.close').catch(() => {});
		await Promise.race([ended, delay(5000)]);
		this.process.kill('SIGKILL');
		fs.rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
	}
}

module.exports = { Browser, delay };
