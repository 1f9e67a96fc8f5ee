import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { anchorsOf, headingsOf } from './headings.ts'

const files = globSync('**/*.md', { exclude: (path) => /node_modules|^dist/.test(path) })

test.each(files)('%s links to files and headings that exist', (file) => {
  const text = readFileSync(file, 'utf8').replaceAll(/```[\s\S]*?```/g, '')
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  const broken = links.filter((link) => {
    if (/^https?:/.test(link)) return false
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? file : join(dirname(file), path)
    const exists = globSync(target).length > 0
    return !exists || (anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor))
  })
  expect(broken).toEqual([])
})

test('A document that names a section of the README in words names one that is there', () => {
  const named = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/README[^\s"]*,? "([^"]+)"/g)].map(([, section = '']) => [file, section]),
  )
  expect(named.filter(([, section = '']) => !headingsOf('README.md').includes(section))).toEqual([])
})

test('docs/README.md leads to every page of the documentation', () => {
  const index = readFileSync('docs/README.md', 'utf8')
  const pages = globSync('docs/*.md').filter((page) => page !== join('docs', 'README.md'))
  expect(pages.filter((page) => !index.includes(`(${page.slice('docs/'.length)})`))).toEqual([])
})
