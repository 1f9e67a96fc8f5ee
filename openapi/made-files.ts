import { contractTypes } from '../client/make-contract.ts'
import { catalogReference } from './catalog-reference.ts'
import { catalogSchema } from './catalog-schema.ts'
import { openApiDocument } from './document.ts'
import { errorReference } from './error-reference.ts'

/** The content of every file that is made from the code, by path. */
export async function madeFiles(): Promise<Readonly<Record<string, string>>> {
  const document = await openApiDocument()
  return {
    'docs/openapi.json': `${JSON.stringify(document, null, 2)}\n`,
    'client/contract.ts': await contractTypes(document),
    'docs/errors.md': errorReference(),
    'docs/catalog.md': await catalogReference(),
    'docs/catalog.schema.json': `${JSON.stringify(catalogSchema(), null, 2)}\n`,
  }
}
