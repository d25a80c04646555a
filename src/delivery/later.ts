export function later(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}
