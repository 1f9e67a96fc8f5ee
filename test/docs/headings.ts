import { readFileSync } from 'node:fs'

export const headingsOf = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading)

/** The anchors that GitHub gives the headings of a file. */
export const anchorsOf = (file: string): readonly string[] =>
  headingsOf(file).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )
