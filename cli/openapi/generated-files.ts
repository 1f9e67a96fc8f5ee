import { contractTypes } from '../../client/make-contract.ts'
import { catalogReference } from '../../openapi/catalog-reference.ts'
import { catalogSchema } from '../../openapi/catalog-schema.ts'
import { openApiDocument } from '../../openapi/document.ts'
import { errorReference } from '../../openapi/error-reference.ts'

/** The content of every file that is made from the code, by path. */
export async function generatedFiles(): Promise<Readonly<Record<string, string>>> {
  const document = await openApiDocument()
  return {
    'docs/openapi.json': `${JSON.stringify(document, null, 2)}\n`,
    'client/contract.ts': await contractTypes(document),
    'docs/errors.md': errorReference(),
    'docs/catalog.md': await catalogReference(),
    'docs/catalog.schema.json': `${JSON.stringify(catalogSchema(), null, 2)}\n`,
  }
}
