import { useState } from 'preact/hooks';
import { usePageState, useWorkspace } from './use-workspace.js';

/** @import { FaultSwitch } from '../faults/fault-switch.ts' */

/** @type {readonly FaultSwitch[]} */
const NONE = [];

/** The switches of the faults. `trouble` says why the last change failed. */
export function useFaults() {
  const { ask } = useWorkspace();
  const switches = usePageState((state) => state.world?.faults) ?? NONE;
  const [trouble, setTrouble] = useState('');
  /**
   * @param {FaultSwitch} about
   * @param {string} [choice] without one it works as usual again
   */
  const choose = async (about, choice) => {
    const answer = await ask({ act: 'fault', switch: about.id, ...(choice === undefined ? {} : { choice }) });
    setTrouble(answer.ok ? '' : `${about.label}: this could not be switched. Is it still running?`);
  };
  return { switches, choose, trouble };
}
