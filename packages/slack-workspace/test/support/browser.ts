import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
  type Page,
} from 'playwright-core';
import { unpackChromium } from './unpack-chromium.ts';

/** A browser for tests. */
export interface TestBrowser {
  browser: Browser;
  /** Opens a page in its own context, so that pages share nothing. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
  close(): Promise<void>;
}

const CACHE = join(import.meta.dirname, '../../.cache');

/** Switches off telemetry, and the sandbox, which root can't use. The browser opens only our own pages. */
const ARGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-domain-reliability',
  '--disable-quic',
  '--disable-gpu',
  // Shared memory is then in TMPDIR.
  '--disable-dev-shm-usage',
  '--font-render-hinting=none',
  '--no-first-run',
  '--no-pings',
];

/**
 * Starts the browser from npm (x64 Linux) or an installed one. If there is none, the error says what to install.
 */
export async function startBrowser(): Promise<TestBrowser> {
  await mkdir(CACHE, { recursive: true });
  // The browser's profiles, downloads and shared memory. It creates so many files that a folder in memory saves a tenth of
  // its time.
  process.env.TMPDIR = join(process.env.TEST_FOLDERS ?? CACHE, 'browser');
  await mkdir(process.env.TMPDIR, { recursive: true });
  const browser = await chromium.launch({ args: ARGS, ...(await findBrowser(CACHE)) });
  return {
    browser,
    newPage: async (options = {}) => {
      const context = await browser.newContext(options);
      // Longer than the default, because the machine may be busy.
      context.setDefaultTimeout(120_000);
      return context.newPage();
    },
    close: () => browser.close(),
  };
}

let sharedBrowser: Promise<TestBrowser> | undefined;

/**
 * Opens the browser of this process, because starting one takes up to two seconds of CPU time. It runs until the process
 * ends. `close` closes its pages, so only one test file at a time may use it.
 */
export async function openSharedBrowser(): Promise<TestBrowser> {
  sharedBrowser ??= startBrowser();
  const { browser, newPage } = await sharedBrowser;
  const close = async () => void (await Promise.all(browser.contexts().map((context) => context.close())));
  return { browser, newPage, close };
}

async function findBrowser(folder: string): Promise<LaunchOptions> {
  if (process.platform === 'linux' && process.arch === 'x64') {
    const unpacked = await unpackChromium(folder);
    return { executablePath: unpacked.executablePath, env: { ...getDefinedEnv(), ...unpacked.env } };
  }
  const installedPath = [process.env.CHROME_PATH, ...INSTALLED_BROWSERS].find(
    (path) => path !== undefined && existsSync(path),
  );
  if (installedPath !== undefined) return { executablePath: installedPath };
  throw new Error(
    `The browser tests found no browser: npm installs one only on x64 Linux, and this is ${process.platform} ${process.arch}. ` +
      'Install Google Chrome or Chromium, or set CHROME_PATH to its program.',
  );
}

const INSTALLED_BROWSERS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/snap/bin/chromium',
];

function getDefinedEnv(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
