import { useState } from 'preact/hooks';
import { usePage, usePageState } from './use-page.js';

/** @import { FaultSwitch } from '../faults/fault-switch.ts' */

/** @type {readonly FaultSwitch[]} */
const NONE = [];

/** The switches of the faults. `trouble` says why the last change failed. */
export function useFaults() {
  const { request } = usePage();
  const switches = usePageState((state) => state.workspace?.faults) ?? NONE;
  const [trouble, setTrouble] = useState('');
  /**
   * @param {FaultSwitch} about
   * @param {string} [choice] without one it works as usual again
   */
  const choose = async (about, choice) => {
    const answer = await request({
      act: 'fault',
      switch: about.id,
      ...(choice === undefined ? {} : { choice }),
    });
    setTrouble(answer.ok ? '' : `${about.label}: this could not be switched. Is it still running?`);
  };
  return { switches, choose, trouble };
}
