import { quoted } from '@embed-access/core/catalog/quoted.ts'

/** Text of a request may be anything. As JSON it has nothing that a terminal would obey. */
export const shown = (value: unknown): string =>
  typeof value === 'string' && /^[\w.:/{}#@-]+$/.test(value) ? value : quoted(value)
