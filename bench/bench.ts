import { startChosen } from '../scripts/chosen.ts'

/* What things cost, measured: `npm run bench -- NAME`. */
await startChosen('npm run bench', {
  pages: ['pages of lists, in catalogs of any size', () => import('./pages.ts')],
  writes: ['a change of each kind', () => import('./writes.ts')],
  cold: ['starts of the functions', () => import('./cold.ts')],
  load: ['the local service under load', () => import('./load.ts')],
  feed: ['import, export, reconciliation and the queue', () => import('./feed.ts')],
  usage: ['the count of a month of audit lines', () => import('./usage.ts')],
})
