import { randomBytes } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { createEncryption, DecryptionError } from '../../src/access/encryption.ts';
import { ENCRYPTED_COLUMNS } from '../../src/access/rotate-keys.ts';

const oldKey = { id: 'old', key: randomBytes(32) };
const newKey = { id: 'new', key: randomBytes(32) };

describe('an encrypted text', () => {
  const encryption = createEncryption([oldKey]);
  const encrypted = encryption.encrypt('Ünïcode 🧑‍🔧', 'T1');

  test('an encrypted text can be decrypted for its workspace, and reveals nothing', () => {
    expect(encryption.decrypt(encrypted, 'T1')).toBe('Ünïcode 🧑‍🔧');
    expect(encrypted).not.toContain('nïcode');
    expect(encryption.encrypt('Ünïcode 🧑‍🔧', 'T1')).not.toBe(encrypted);
  });

  test('an encrypted text can’t be decrypted for another workspace', () => {
    expect(() => encryption.decrypt(encrypted, 'T2')).toThrow(DecryptionError);
  });

  test('a text of a project can’t be decrypted for another project, or for the workspace', () => {
    const ofProject = encryption.encrypt('token', 'T1', 'p1');
    expect(encryption.decrypt(ofProject, 'T1', 'p1')).toBe('token');
    for (const other of ['p2', undefined])
      expect(() => encryption.decrypt(ofProject, 'T1', other)).toThrow(DecryptionError);
  });

  test.each([
    ['changed', (text: string) => text.replace(/.(?=.{20}$)/, (letter) => (letter === 'A' ? 'B' : 'A'))],
    ['truncated', (text: string) => text.slice(0, -8)],
    ['emptied', () => 'v1:old:'],
    ['marked with another format', (text: string) => text.replace('v1', 'v2')],
    ['marked with another key', (text: string) => text.replace('old', 'other')],
  ])('an encrypted text can’t be decrypted if it was %s', (_kind, change) => {
    expect(() => encryption.decrypt(change(encrypted), 'T1')).toThrow(DecryptionError);
  });

  test('an encrypted text can be decrypted after a key rotation, and new texts are encrypted with the new key', () => {
    const rotatedEncryption = createEncryption([newKey, oldKey]);
    expect(rotatedEncryption.decrypt(encrypted, 'T1')).toBe('Ünïcode 🧑‍🔧');
    expect(rotatedEncryption.encrypt('x', 'T1')).toMatch(/^v1:new:/);
  });
});

test('encryption needs at least one key', () => {
  expect(() => createEncryption([])).toThrow(RangeError);
});

const folder = join(import.meta.dirname, '..', '..', 'src');

/** The sources of the table types. Each module lists its tables in an interface such as `DigestTables`. */
const sources = globSync('**/*.ts', { cwd: folder })
  .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
  .filter(({ text }) => /^(?:export )?interface \w+Tables?\b/m.test(text))
  .map(({ name, text }) => ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true));

function getComment(node: ts.Node): string {
  const text = node.getSourceFile().text;
  return (ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [])
    .map(({ pos, end }) => text.slice(pos, end))
    .join(' ');
}

/** The table of each view, which has the columns. */
const TABLES_OF_VIEWS: Readonly<Record<string, string>> = { held_post: 'post' };

/** Lists every column whose comment says that it is encrypted, as `table.column`. */
function listEncryptedColumns(): string[] {
  const interfaces = new Map<string, ts.InterfaceDeclaration>();
  for (const node of sources.flatMap(({ statements }) => [...statements])) {
    if (ts.isInterfaceDeclaration(node)) interfaces.set(node.name.text, node);
  }
  const lists = [...interfaces].filter(([name]) => name.endsWith('Tables') || name === 'BotSchema');
  const tables = lists.flatMap(([, { members }]) => [...members]);
  return tables.flatMap((table) => {
    if (!ts.isPropertySignature(table) || !table.type) return [];
    const { type } = table;
    const members = (ts.isTypeLiteralNode(type) ? type : interfaces.get(type.getText()))?.members;
    if (!members) throw new Error(`${table.name.getText()} could not be found as a table`);
    return members
      .filter((column) => /\bencrypted\b/i.test(getComment(column)))
      .map(
        (column) =>
          `${TABLES_OF_VIEWS[table.name.getText()] ?? table.name.getText()}.${column.name?.getText()}`,
      );
  });
}

test('every encrypted column of the schema is in the list for key rotation', () => {
  const rotatedColumns = ENCRYPTED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
  expect(listEncryptedColumns().length).toBeGreaterThan(5);
  // A view has the columns of its table.
  expect(rotatedColumns.toSorted()).toEqual([...new Set(listEncryptedColumns())].toSorted());
});
