import { matching } from '../command.ts'

export const monthFrom = matching(/^\d{4}-(0[1-9]|1[0-2])$/, 'It must be a month, such as 2026-11.')

/** In UTC. */
export function boundsOf(month: string): { begins: number; ends: number } {
  const begins = new Date(`${month}-01T00:00:00Z`)
  return { begins: begins.getTime(), ends: new Date(begins).setUTCMonth(begins.getUTCMonth() + 1) }
}
