import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer } from './answer.ts';

/**
 * The parts of the stylesheet. Each is a layer, so that a rule of a later part wins whatever its selector. Paper is none,
 * because rules outside of layers win over all of them.
 */
const LAYERS = ['base', 'icons', 'month', 'grid', 'narrow', 'post', 'plain'];
const PAPER = 'paper';

/** Files of all pages, each by its name, which changes with its content. */
export interface Assets {
  files: ReadonlyMap<string, Answer>;
  style: string;
  icon: string;
}

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 18 18">
<rect x="1" y="2" width="16" height="4" rx="2" fill="#4353c4"/><rect x="1" y="8" width="11" height="4" rx="2" fill="#7a86dd"/>
<rect x="1" y="14" width="6" height="3" rx="1.5" fill="#b3baee"/></svg>`;

/** Reads the stylesheet, without its comments and indentation. `base`: the path of all pages. */
export function loadAssets(base: string): Assets {
  const readPart = (name: string) => readFileSync(join(import.meta.dirname, 'style', `${name}.css`), 'utf8');
  const css = [...LAYERS.map((name) => `@layer ${name} {\n${readPart(name)}}`), readPart(PAPER)]
    .join('\n')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
  const files = new Map<string, Answer>();
  const add = (name: string, type: string, body: string) => {
    const hash = createHash('sha256').update(body).digest('base64url').slice(0, 12);
    const fileName = name.replace('.', `-${hash}.`);
    const headers = { 'cache-control': 'public, max-age=31536000, immutable' };
    files.set(fileName, { status: 200, type, body, headers });
    return base + fileName;
  };
  return {
    files,
    style: add('style.css', 'text/css; charset=utf-8', css),
    icon: add('icon.svg', 'image/svg+xml', ICON),
  };
}
