import { execFile } from 'node:child_process'
import { cp, glob, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build, transform } from 'esbuild'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { keys, world } from '../support/service.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const execute = promisify(execFile)
const repository = fileURLToPath(new URL('../../', import.meta.url))
const inRepository = (path: string) => join(repository, path)

/** A use of the package that fails to compile if a type is `any` or missing. */
const use = `
import { redeem, type EmbedSession } from '@embed-access/client/browser'
import { ApiError, createClient } from '@embed-access/client/server'
import type { AccessExplanation, Client, DbtSync } from '@embed-access/client/server'
import type { EmbedAccess, SessionRequest } from '@embed-access/client/server'
import { createVerifier, type EmbedTokenClaims } from '@embed-access/client/verify'
import type { EmbedFrame } from '@embed-access/client/embed-frame'
import { ApiError as Same } from '@embed-access/client'
import { redeem as bundled } from '@embed-access/client/browser.js'

const baseUrl = process.env.API_URL ?? ''
export const client: Client = createClient({ baseUrl, token: process.env.API_KEY ?? '' })
const verify = createVerifier({ issuer: baseUrl, audience: baseUrl, accountId: 'acme' })
export const claimsOf: (token: string) => Promise<EmbedTokenClaims> = verify
const request: SessionRequest = { deploymentId: 1, embedTenantName: 'north', externalId: 'u-1' }
const { sessionId } = await client.generateSession(request)
const session: EmbedSession = await redeem({ baseUrl, sessionId })
const token: string = await session.token()
const statuses: DbtSync['status'][] = []
const after: string | undefined = process.env.AFTER
const syncs = client.listDbtSyncs({ deploymentId: 1, status: 'FAILED', after })
for await (const { status } of syncs.items()) statuses.push(status)
export const why: AccessExplanation['isSeen'] | EmbedAccess['reasons'] = false
export const groupsIn = ({ securityContext }: EmbedTokenClaims): string[] | undefined =>
  securityContext?.platformCloud?.groups
export const framed = (): EmbedFrame => document.createElement('embed-frame')
// @ts-expect-error The name of a field is misspelt.
const misspelt: SessionRequest = { deploymentId: 1, externalID: 'u-1' }
// @ts-expect-error A tenant is left out.
export const lacking = () => client.explainEmbedAccess({ deploymentId: 1, workbookId: 1 })
// @ts-expect-error A list of one deployment.
export const lost = () => client.listDbtSyncs({ status: 'FAILED' })
const refusal: unknown = await redeem({ baseUrl, sessionId }).catch((error: unknown) => error)
const other: unknown = await bundled({ baseUrl, sessionId }).catch((error: unknown) => error)
const told = [token.split('.').length, statuses.length, misspelt.deploymentId]
console.log(...told, refusal instanceof Same && refusal instanceof ApiError && refusal.code)
console.log(\`\${other}\`)
`

/** The parts of React's types that the README uses. */
const react = `
export namespace JSX { interface IntrinsicElements { div: object } }
export type HTMLAttributes<Element> = { title?: string; onClick?: (clicked: Element) => void }
export type DetailedHTMLProps<Attributes, Element> = Attributes & { ref?: Element }
`

describe('the client package, packed and installed', () => {
  const service = world()
  const project = temporaryDirectory()
  const clone = temporaryDirectory()
  const inProject = (name: string) => join(project, name)
  const installed = inProject('node_modules/@embed-access/client')

  beforeAll(async () => {
    await packIn(clone)
    const [tarball] = await Array.fromAsync(glob('client/*.tgz', { cwd: clone }))
    // What it depends on comes from this repository, so the test needs no network.
    const own = JSON.parse(await readFile(inRepository('client/package.json'), 'utf8'))
    const overrides = Object.fromEntries(
      Object.keys(own.dependencies).map((name) => [
        name,
        `file:${inRepository(`node_modules/${name}`)}`,
      ]),
    )
    const dependencies = { '@embed-access/client': `file:${join(clone, `${tarball}`)}` }
    const manifest = { private: true, type: 'module', dependencies, overrides }
    await writeFile(inProject('package.json'), JSON.stringify(manifest))
    await writeFile(inProject('use.ts'), use)
    await execute('npm', ['install', '--offline', '--no-audit'], { cwd: project })
  })

  test('has its licence, its types and no file of ours that it does not need', async () => {
    const entries = await readdir(installed, { recursive: true, withFileTypes: true })
    const files = entries.flatMap((entry) => (entry.isFile() ? [entry.name] : []))
    expect(files).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'index.js', 'index.d.ts', 'browser.js']),
    )
    expect(
      files.filter(
        (name) => !/^(LICENSE|README\.md|package\.json|[\w-]+(\.d\.ts|\.js))$/.test(name),
      ),
    ).toEqual([])
    expect(JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))).toMatchObject({
      repository: { type: 'git', url: 'git+https://git.test/a/b.git', directory: 'client' },
      bugs: { url: 'https://git.test/a/b/issues' },
      homepage: expect.stringMatching(
        /^https:\/\/git\.test\/a\/b\/tree\/client-v[\d.]+\/client#readme$/,
      ),
    })
    expect(await readFile(join(installed, 'LICENSE'), 'utf8')).toBe(
      await readFile(inRepository('LICENSE'), 'utf8'),
    )
  })

  test.each([
    { module: 'node16', moduleResolution: 'node16' },
    { module: 'esnext', moduleResolution: 'bundler' },
  ])('type-checks with moduleResolution $moduleResolution', async (resolution) => {
    const typeRoots = [inRepository('node_modules/@types')]
    const checked = {
      strict: true,
      exactOptionalPropertyTypes: true,
      skipDefaultLibCheck: true,
      noEmit: true,
      types: ['node'],
      typeRoots,
    }
    const compilerOptions = { target: 'es2022', lib: ['es2022', 'dom'], ...checked, ...resolution }
    const config = `tsconfig.${resolution.moduleResolution}.json`
    await writeFile(inProject(config), JSON.stringify({ compilerOptions, files: ['use.ts'] }))
    const compiled = execute(inRepository('node_modules/.bin/tsc'), ['-p', config], {
      cwd: project,
    })
    await compiled.catch(({ stdout }) => expect.fail(stdout))
  })

  test('has an element that JSX takes after the declaration of the README', async () => {
    const readme = await readFile(join(installed, 'README.md'), 'utf8')
    const [declaration] =
      readme.match(/(?<=```ts\n)(?:import type .*\n)+[^`]*IntrinsicEl[^`]*/) ?? []
    const page = `<embed-frame src="https://embed.example.com/" title="Analytics" />`
    await mkdir(inProject('node_modules/react'), { recursive: true })
    await writeFile(inProject('node_modules/react/index.d.ts'), react)
    await writeFile(inProject('node_modules/react/jsx-runtime.d.ts'), "export { JSX } from './'")
    await writeFile(inProject('page.tsx'), `${declaration}\nexport const page = ${page}\n`)
    const options = '--strict --noEmit --jsx react-jsx --module esnext --moduleResolution bundler'
    const compiled = execute(
      inRepository('node_modules/.bin/tsc'),
      [...options.split(' '), '--types', '', '--target', 'es2022', 'page.tsx'],
      { cwd: project },
    )
    await compiled.catch(({ stdout }) => expect.fail(stdout))
  })

  test('runs on every Node of this machine', async () => {
    await writeFile(
      inProject('use.js'),
      (await transform(use, { loader: 'ts', target: 'es2022' })).code,
    )
    const { stdout: nodes } = await execute('which', ['-a', 'node'])
    for (const node of new Set([process.execPath, ...nodes.trim().split('\n')])) {
      const env = { API_URL: service.url, API_KEY: keys.admin }
      const { stdout } = await execute(node, ['use.js'], { cwd: project, env })
      expect(stdout, node).toMatch(/^3 0 1 invalid_session\nApiError: /)
    }
  })

  test.each([
    ['@embed-access/client/browser', 'redeem, sessionFromHost', 2.32],
    ['@embed-access/client', 'redeem, sessionFromHost', 2.32],
    ['@embed-access/client/browser.js', 'redeem, sessionFromHost', 2.32],
    ['@embed-access/client/embed-frame', 'EmbedFrame', 2],
    ['@embed-access/client/verify', 'createVerifier', 9],
  ])('a bundle of %s with %s has at most %s KB gzipped', async (entry, names, limit) => {
    const contents = `export { ${names} } from '${entry}'`
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: project },
      bundle: true,
      format: 'esm',
      minify: true,
      write: false,
    })
    const bytes = gzipSync(`${outputFiles[0]?.text}`, { level: 9 }).length
    expect(bytes).toBeLessThanOrEqual(limit * 1024)
    expect(bytes).toBeGreaterThan(900)
  })
})

/**
 * Does what the job that publishes does, up to npm publish, where nothing has been built. What
 * npm ci would install is linked.
 */
async function packIn(clone: string): Promise<void> {
  for (const name of ['.gitignore', '.npmrc', 'LICENSE', 'package.json', 'tsconfig.json'])
    await cp(inRepository(name), join(clone, name))
  const isCommitted = (path: string) =>
    !['dist', 'LICENSE', 'node_modules'].includes(basename(path))
  await cp(inRepository('client'), join(clone, 'client'), { recursive: true, filter: isCommitted })
  for (const name of ['node_modules', 'client/node_modules'])
    await symlink(inRepository(name), join(clone, name))

  const workflow = parse(await readFile(inRepository('.github/workflows/client.yml'), 'utf8'))
  const { env, steps } = workflow.jobs.publish as {
    readonly env: Record<string, string>
    readonly steps: readonly { readonly run?: string; readonly 'working-directory'?: string }[]
  }
  const runs = steps.filter(({ run }) => run !== undefined)
  expect([runs[0]?.run, runs.at(-1)?.run]).toEqual([
    'npm ci',
    expect.stringMatching(/^npm publish/),
  ])
  const { version } = JSON.parse(await readFile(inRepository('client/package.json'), 'utf8'))
  const github = {
    GITHUB_SERVER_URL: 'https://git.test',
    GITHUB_REPOSITORY: 'a/b',
    GITHUB_REF_NAME: `client-v${version}`,
  }
  for (const { run = '', 'working-directory': folder = '.' } of runs.slice(1, -1)) {
    const cwd = join(clone, folder)
    if (run.includes('GITHUB_REF_NAME"')) {
      const other = { ...process.env, GITHUB_REF_NAME: 'client-v0.0.1' }
      await expect(execute('bash', ['-ec', run], { cwd, env: other })).rejects.toThrow()
    }
    await execute('bash', ['-ec', run], { cwd, env: { ...process.env, ...github, ...env } })
  }
}
