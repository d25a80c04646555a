/** The clock runs on for so long after it was set. Two times of the simulation are further apart. */
const MAX_RUNNING_MS = 59_000;

/** Creates a clock that is set to the times of the simulation, and runs at its usual speed in between. */
export function createSimulatedClock(start: number) {
  let [time, setAt] = [start, performance.now()];
  return {
    /** Ms since the epoch. */
    read: () => Math.floor(time + Math.min(performance.now() - setAt, MAX_RUNNING_MS)),
    set(newTime: number) {
      [time, setAt] = [newTime, performance.now()];
    },
    /** The time to which the clock was set. */
    getTime: () => time,
  };
}

export type SimulatedClock = ReturnType<typeof createSimulatedClock>;
