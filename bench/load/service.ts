import { connect, type Storage } from '@embed-access/core/storage/storage.ts'
import { createLocalService } from '../../local/service.ts'
import { issuer } from './catalog.ts'
import { serveSide } from './serve-side.ts'

/** What `npm start` serves: gateway, authorizer and functions in one process. It writes its lines as on Lambda. */
serveSide(({ endpoint, tables }: { readonly endpoint: string; readonly tables: Storage['tables'] }) =>
  createLocalService({
    storage: connect(tables, endpoint),
    now: Date.now,
    issuer,
    corsOrigins: ['*'],
    log: (line) => process.stdout.write(`${line}\n`),
  }),
)
