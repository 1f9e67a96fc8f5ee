import { readFile, writeFile } from 'node:fs/promises'
import { runForProcess, verb } from '../cli/command.ts'
import type { Terminal } from '../cli/terminal.ts'
import { contractTypes } from '../client/make-contract.ts'
import { catalogReference } from '../openapi/catalog-reference.ts'
import { catalogSchema } from '../openapi/catalog-schema.ts'
import { contractVersion, openApiDocument } from '../openapi/document.ts'
import { errorReference } from '../openapi/error-reference.ts'
import { changesSinceRelease, versionSinceRelease } from '../openapi/released.ts'

export async function generatedFiles(): Promise<Record<string, string>> {
  const document = await openApiDocument()
  return {
    'docs/openapi.json': `${JSON.stringify(document, null, 2)}\n`,
    'client/contract.ts': await contractTypes(document),
    'docs/errors.md': errorReference(),
    'docs/catalog.md': await catalogReference(),
    'docs/catalog.schema.json': `${JSON.stringify(catalogSchema(), null, 2)}\n`,
  }
}

const openapi = (terminal: Terminal) =>
  verb(
    'npm run openapi --',
    'Writes what is made from the code: docs/openapi.json, docs/errors.md, docs/catalog.md, ' +
      'docs/catalog.schema.json and the types of the client.',
    {
      examples: ['npm run openapi', 'npm run openapi -- --check'],
      one:
        'a file is out of date, the document breaks clients of the last release, or its ' +
        'version does not fit what has changed since (docs/versioning.md)',
    },
  )
    .option('--check', 'writes nothing, and ends with 1 if something is not right')
    .action(async ({ check }) => {
      const outdated: string[] = []
      for (const [path, content] of Object.entries(await generatedFiles())) {
        if ((await readFile(path, 'utf8').catch(() => undefined)) === content) continue
        outdated.push(path)
        terminal.out.write(`${path} ${check ? 'is out of date' : 'written'}\n`)
        if (!check) await writeFile(path, content)
      }
      if (!check) return
      if (outdated.length > 0) throw new Error('Run npm run openapi, and commit what it writes.')
      const breaking = await changesSinceRelease()
      for (const change of breaking) terminal.out.write(`breaking: ${change}\n`)
      if (breaking.length > 0)
        throw new Error('These changes break clients of the last release (docs/versioning.md).')
      const version = await versionSinceRelease()
      if (contractVersion === version) return
      throw new Error(
        `contractVersion is ${contractVersion}. The changes since the last release make it ` +
          `${version}.`,
      )
    })

if (import.meta.main) await runForProcess(openapi)
