export interface FaultChoice {
  id: string;
  label: string;
  /** The text of the banner that everyone sees while the fault is on. */
  notice: string;
}

/** A system on the page that people can make fail. */
export interface FaultSwitch {
  id: string;
  /** The system's name, such as `Slack`. */
  label: string;
  choices: FaultChoice[];
  /** The id of the fault that is on. */
  chosen?: string;
}
