/** Whether the body of a request is that of an event. Slack sends only events again. */
export function isEvent(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'event' in body;
}
