import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { ENCRYPTED_COLUMNS } from '../../src/access/rotate-keys.ts';

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
    const members = interfaces.get(table.type.getText())?.members;
    if (!members) throw new Error(`${table.name.getText()} could not be found as a table`);
    return members
      .filter((column) => /\bencrypted\b/i.test(getComment(column)))
      .map((column) => `${table.name.getText()}.${column.name?.getText()}`);
  });
}

test('every encrypted column of the schema is in the list for key rotation', () => {
  const rotatedColumns = ENCRYPTED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
  expect(listEncryptedColumns().length).toBeGreaterThan(5);
  expect(rotatedColumns.toSorted()).toEqual(listEncryptedColumns().toSorted());
});
