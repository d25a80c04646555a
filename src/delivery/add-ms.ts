export function addMs(time: Date, ms: number): Date {
  return new Date(time.getTime() + ms);
}
