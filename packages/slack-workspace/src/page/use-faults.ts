import { useState } from 'preact/hooks';
import type { FaultSwitch } from '../faults/fault-switch.ts';
import { usePage, usePageState } from './use-page.ts';

const NONE: readonly FaultSwitch[] = [];

/** The faults of each system, and a function to enable one. `error` is the text of the last failure, or empty. */
export function useFaults() {
  const { request } = usePage();
  const switches = usePageState((state) => state.workspace?.faults) ?? NONE;
  const [error, setError] = useState('');
  /** Without a choice, all faults of the group are disabled. */
  const choose = async (group: FaultSwitch, choice?: string) => {
    const answer = await request({
      act: 'fault',
      switch: group.id,
      ...(choice === undefined ? {} : { choice }),
    });
    setError(answer.ok ? '' : `${group.label}: this couldn’t be changed. Is it still running?`);
  };
  return { switches, choose, error };
}
