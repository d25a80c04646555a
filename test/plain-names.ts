import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './checks.ts';

/**
 * Part of `npm run lint`: checks names by those rules of CONTRIBUTING.md that a machine can check. Prints each finding
 * with its file and line, and fails if there is any. Internal files of `when` aren't checked.
 */

const NOT_CHECKED = /\.d\.ts$|^src\/when\/(?!when\.ts)/;

/** Superlatives in names of limits. */
const LIMIT = /^(MOST|FEWEST|LEAST|LONGEST|SHORTEST|LARGEST|DEEPEST)_/;

/** Participles without a noun: `settled`, `seenBy`. Before a noun, a participle is allowed: `sharedSecret`. */
const PARTICIPLE =
  /^([a-z]+ed|begun|bound|brought|done|found|given|gone|held|kept|known|left|lost|made|meant|said|seen|sent|shown|spoken|taken|thought|told|written)(After|At|Before|Behind|By|For|From|In|Of|On|Since|To|With)?$/;
/** Verbs that end in -ed but aren't participles. */
const VERBS = new Set(['embed', 'succeed', 'exceed', 'feed', 'need', 'proceed', 'seed', 'shed', 'speed']);

/** Words to avoid, each with the glossary's term. */
const GLOSSARY = new Map([
  ['asker', 'author or actor'],
  ['telling', 'notification'],
]);

interface Finding {
  node: ts.Node;
  advice: string;
}

/**
 * Functions in tests aren't checked: they are read with their tests, and may be named after a state, such as
 * `connected`.
 */
function isCheckedFunction(node: ts.Node): boolean {
  return !/^(packages\/[\w-]+\/)?test\//.test(node.getSourceFile().fileName) && isFunction(node);
}

function isFunction(node: ts.Node): boolean {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isMethodSignature(node))
    return true;
  if (!ts.isVariableDeclaration(node) || !node.initializer) return false;
  return ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer);
}

function getAdvice(name: string, isFunctionName: boolean): string | undefined {
  if (LIMIT.test(name)) return 'a limit is called MAX_… or MIN_…';
  if (isFunctionName && PARTICIPLE.test(name) && !VERBS.has(name))
    return 'a function name starts with a verb';
  for (const word of name.split(/(?=[A-Z])|_/)) {
    const better = GLOSSARY.get(word.toLowerCase());
    if (better) return `the glossary says ${better}`;
  }
  return undefined;
}

function collectFindings(node: ts.Node, findings: Finding[]): void {
  const name = ts.isIdentifier(node) ? undefined : ts.getNameOfDeclaration(node as ts.Declaration);
  if (name && ts.isIdentifier(name)) {
    const advice = getAdvice(name.text, isCheckedFunction(node));
    if (advice) findings.push({ node: name, advice });
  }
  ts.forEachChild(node, (child) => collectFindings(child, findings));
}

const files = globSync(['{bench,pictures}/**/*.ts', '{packages/*/,}{src,test}/**/*.ts'], {
  cwd: root,
}).filter((file) => !NOT_CHECKED.test(file));
let count = 0;
for (const file of files) {
  const text = readFileSync(join(root, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const findings: Finding[] = [];
  collectFindings(source, findings);
  for (const { node, advice } of findings) {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    console.log(`${file}:${line + 1} ${node.getText()}: ${advice}`);
  }
  count += findings.length;
}
process.exitCode = count > 0 ? 1 : 0;
