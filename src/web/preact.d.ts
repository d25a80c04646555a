/**
 * What pages use of Preact, htm and preact-render-to-string. The packages' own types bring those of browsers, and with them
 * hundreds of global names, into all of the code for Node.js. `.config/tsconfig.node.json` reads this file instead.
 */
export interface VNode {
  readonly type: unknown;
  readonly props: unknown;
}

/** In `preact`. */
export function isValidElement(value: unknown): value is VNode;
/** In `htm/preact`. Several roots make a list, and none undefined. */
export function html(strings: TemplateStringsArray, ...values: readonly unknown[]): unknown;
/** In `preact-render-to-string`. */
export function render(root: VNode): string;
