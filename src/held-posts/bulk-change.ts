import type { TimeShift } from '../posts/shift-time.ts';

/** What one press does with all posts of a list. */
export type BulkChange = { kind: 'cancel' } | { kind: 'approve' } | { kind: 'move'; shift: TimeShift };

/** Why a post of the list wasn't changed. */
export type BulkRefusal = 'changed' | 'not-allowed' | 'past' | 'no-time' | 'not-checked';
