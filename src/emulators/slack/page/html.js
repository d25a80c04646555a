import htm from 'htm';
import { h } from 'preact';

/** Templates instead of JSX: what a template yields is data for preact, so text in it never becomes HTML. */
export const html = htm.bind(h);
