import { useState } from 'preact/hooks';
import { usePage, usePageState } from './use-page.js';

/** @import { FaultSwitch } from '../faults/fault-switch.ts' */

/** @type {readonly FaultSwitch[]} */
const NONE = [];

/** The faults of each system, and a function to enable one. `error` is the text of the last failure, or empty. */
export function useFaults() {
  const { request } = usePage();
  const switches = usePageState((state) => state.workspace?.faults) ?? NONE;
  const [error, setError] = useState('');
  /**
   * @param {FaultSwitch} group
   * @param {string} [choice] Without a choice, all faults of the group are disabled.
   */
  const choose = async (group, choice) => {
    const answer = await request({
      act: 'fault',
      switch: group.id,
      ...(choice === undefined ? {} : { choice }),
    });
    setError(answer.ok ? '' : `${group.label}: this couldn’t be changed. Is it still running?`);
  };
  return { switches, choose, error };
}
