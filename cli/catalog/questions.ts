import { checkDeployment } from '@embed-access/core/catalog/check.ts'
import { deploymentsWith, explainAccess } from '@embed-access/core/catalog/explain.ts'
import { quoted } from '@embed-access/core/catalog/quoted.ts'
import { lowerCase } from '@embed-access/core/schema.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'

type Values = {
  readonly positionals: readonly string[]
  readonly deployment?: string | undefined
  readonly tenant?: string | undefined
  readonly workbook?: string | undefined
  readonly [option: string]: unknown
}

type Answer = { readonly isFine: boolean; readonly lines: readonly string[] }

/** What can be asked about the catalog. Each throws an Error with a plain sentence for options that are not right. */
export const questions = {
  check(values: Values) {
    requireOnly('check', values, ['deployment'])
    const deploymentId = idIn('check', values, 'deployment')
    return async (storage: Storage): Promise<Answer> => {
      const problems = await checkDeployment(storage, deploymentId)
      const isFine = problems.length === 0
      return { isFine, lines: isFine ? [`Nothing is wrong in deployment ${deploymentId}.`] : problems }
    }
  },

  explain(values: Values) {
    requireOnly('explain', values, ['deployment', 'tenant', 'workbook'])
    const { tenant } = values
    if (!tenant) throw new Error('explain needs --tenant NAME. See npm run catalog -- --help.')
    const workbookId = idIn('explain', values, 'workbook')
    const given = values.deployment === undefined ? undefined : idIn('explain', values, 'deployment')
    return async (storage: Storage): Promise<Answer> => {
      const deploymentId = given ?? (await onlyDeploymentWith(storage, workbookId))
      const { isSeen, facts } = await explainAccess(storage, deploymentId, lowerCase(tenant), workbookId)
      const so = `So embed tenant ${quoted(lowerCase(tenant))} ${isSeen ? 'sees' : 'does not see'} workbook ${workbookId}.`
      return { isFine: true, lines: [...facts, so] }
    }
  },
}

async function onlyDeploymentWith(storage: Storage, workbookId: number): Promise<number> {
  const [found, ...more] = await deploymentsWith(storage, workbookId)
  if (found === undefined) throw new Error(`No deployment has a workbook ${workbookId}.`)
  if (more.length > 0) {
    throw new Error(
      `Several deployments have a workbook ${workbookId}. Give one of them: ${[found, ...more].join(', ')}.`,
    )
  }
  return found
}

function idIn(verb: string, values: Values, option: 'deployment' | 'workbook'): number {
  const text = values[option]
  const id = Number(text)
  if (text && Number.isSafeInteger(id) && id >= 0) return id
  throw new Error(`${verb} needs --${option} ID, a number. See npm run catalog -- --help.`)
}

function requireOnly(verb: string, { positionals, ...values }: Values, options: readonly string[]): void {
  const wrong = Object.keys(values).find((option) => !options.includes(option))
  if (wrong !== undefined) throw new Error(`${verb} does not take --${wrong}. See npm run catalog -- --help.`)
  if (positionals.length > 1) throw new Error(`${verb} takes no file. See npm run catalog -- --help.`)
}
