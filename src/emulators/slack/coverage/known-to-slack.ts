import { readdirSync, readFileSync } from 'node:fs';
import { WebClient } from '@slack/web-api';
import { isRecord } from '../json.ts';

/** The methods, events and types of Slack, as its packages for Node.js name them. */

/** A function of the client that calls three methods. */
const UPLOAD = 'files.uploadV2';

function listFunctions(value: unknown, path: string): string[] {
  if (typeof value === 'function') return [path];
  if (!isRecord(value) || Object.getPrototypeOf(value) !== Object.prototype) return [];
  return Object.entries(value).flatMap(([key, inner]) => listFunctions(inner, `${path}.${key}`));
}

/** Lists the methods of the client in @slack/web-api. */
export function listKnownMethods(): string[] {
  return Object.entries(new WebClient())
    .filter(([, family]) => isRecord(family))
    .flatMap(([name, family]) => listFunctions(family, name))
    .filter((name) => name !== UPLOAD)
    .toSorted();
}

const INTERFACE = /interface \w+(?: extends [^{]+)? \{\s*([\s\S]*?)\n\}/g;

/** Lists the events of @slack/types. Messages have their subtype, such as `message message_changed`. */
export function listKnownEvents(): string[] {
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

/** Lists the Block Kit types of a declaration file in @slack/types, such as `blocks` or `block-elements`. */
export function listKnownTypes(file: string): string[] {
  const url = new URL(`./block-kit/${file}.d.ts`, import.meta.resolve('@slack/types'));
  const found = readFileSync(url, 'utf8').matchAll(/^\s+type: '([a-z_]+)';/gm);
  return [...new Set([...found].map(([, type = '']) => type))];
}
