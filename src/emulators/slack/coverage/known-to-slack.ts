import { readdirSync, readFileSync } from 'node:fs';
import { WebClient } from '@slack/web-api';
import { isRecord } from '../json.ts';

/** What Slack has, as far as its own packages for Node name it. */

/** Of the client alone: it calls three methods. */
const UPLOAD = 'files.uploadV2';

function functionsIn(value: unknown, path: string): string[] {
  if (typeof value === 'function') return [path];
  if (!isRecord(value) || Object.getPrototypeOf(value) !== Object.prototype) return [];
  return Object.entries(value).flatMap(([key, inner]) => functionsIn(inner, `${path}.${key}`));
}

/** Every Web API method that @slack/web-api can call by name. */
export function knownMethods(): string[] {
  return Object.entries(new WebClient())
    .filter(([, family]) => isRecord(family))
    .flatMap(([name, family]) => functionsIn(family, name))
    .filter((name) => name !== UPLOAD)
    .toSorted();
}

const INTERFACE = /interface \w+(?: extends [^{]+)? \{\s*([\s\S]*?)\n\}/g;

/** Every event that @slack/types declares; of messages with their subtype: `message message_changed`. */
export function knownEvents(): string[] {
  const folder = new URL('./events/', import.meta.resolve('@slack/types'));
  const texts = readdirSync(folder)
    .filter((file) => file.endsWith('.d.ts'))
    .map((file) => readFileSync(new URL(file, folder), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, ''));
  const names = texts.flatMap((text) =>
    [...text.matchAll(INTERFACE)].flatMap(([, body = '']) => {
      const type = /^\s*type: '(\w+)'/m.exec(body)?.[1];
      if (type === undefined) return [];
      const subtype = type === 'message' ? /^\s*subtype: '(\w+)'/m.exec(body)?.[1] : undefined;
      return [subtype === undefined ? type : `${type} ${subtype}`];
    }),
  );
  return [...new Set(names)].toSorted();
}

/** Every `type` that a declaration file of @slack/types' Block Kit gives: `blocks`, `block-elements`. */
export function knownTypes(file: string): string[] {
  const url = new URL(`./block-kit/${file}.d.ts`, import.meta.resolve('@slack/types'));
  const found = readFileSync(url, 'utf8').matchAll(/^\s+type: '([a-z_]+)';/gm);
  return [...new Set([...found].map(([, type = '']) => type))];
}
