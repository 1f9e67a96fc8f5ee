import { noun } from '../command.ts'
import { environmentHelp } from '../with-storage.ts'
import { check } from './check.ts'
import { dead, redrive } from './dead.ts'
import { explain } from './explain.ts'
import { exportCatalog } from './export.ts'
import { importCatalog } from './import.ts'
import { init } from './init.ts'
import { purge } from './purge.ts'
import { reconcile } from './reconcile.ts'
import { send } from './send.ts'

const help = `${environmentHelp}
  CATALOG_QUEUE_URL   for send, dead and redrive: the queue's URL, as npm start prints it
                      for the local server`

export const catalog = noun(
  'catalog',
  'Imports, exports, checks and purges the catalog.',
  [init, importCatalog, exportCatalog, purge, check, explain, reconcile, send, dead, redrive],
  help,
)
