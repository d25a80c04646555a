import htm from 'htm';
import { h } from 'preact';

/** Templates instead of JSX. A template creates data for preact, so text in it never becomes HTML. */
export const html = htm.bind(h);
