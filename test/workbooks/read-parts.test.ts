import { ReadParts } from '@embed-access/core/workbooks/read-parts.ts'
import { describe, expect, test } from 'vitest'

describe('the parts of the index that were read', () => {
  const parts = () => new ReadParts(['a1', 'a3', 'b10'])

  test('know where the next wanted folder begins', () => {
    const next = ['', 'a0~', 'a1', 'a1a5', 'a1~', 'a2a7', 'a3~', 'b10a1', 'b10~', 'b11', 'c100']
    expect(next.map((at) => parts().next(at))).toEqual([
      'a1',
      'a1',
      'a1',
      'a1a5',
      'a3',
      'a3',
      'b10',
      'b10a1',
      undefined,
      undefined,
      undefined,
    ])
    expect(parts().lastFolder).toBe('b10')
  })

  test('count the wanted folders from a position on, its own included', () => {
    expect(['a0', 'a1', 'a1a9', 'a2', 'a3~', 'b10', 'b11'].map((at) => parts().foldersFrom(at))).toEqual([
      3, 3, 3, 2, 2, 1, 0,
    ])
  })

  test('count the wanted folders that begin after one position and up to another', () => {
    expect(parts().foldersBetween('a1', 'a2a5')).toBe(0)
    expect(parts().foldersBetween('a1', 'a3a5')).toBe(1)
    expect(parts().foldersBetween('a1a7', 'b10~')).toBe(2)
    expect(parts().foldersBetween('a0', 'b10~')).toBe(3)
  })

  test('tell the hits of a read among its entries', () => {
    const read = parts().add('a1', 'a3a7', ['a1a2', 'a2a9', 'a2b10', 'a3a7'])
    expect(read).toEqual({ from: 'a1', to: 'a3a7', entries: 4, hits: ['a1a2', 'a3a7'] })
  })

  test('are gaps alone where nothing was read, up to as many as are asked for', () => {
    expect(parts().walk('a1', 5, 9)).toEqual({ hits: [], gaps: ['a1', 'a3', 'b10'] })
    expect(parts().walk('a1a5', 5, 2)).toEqual({ hits: [], gaps: ['a1a5', 'a3'] })
    expect(parts().walk('a1', 5, 1)).toEqual({ hits: [], gaps: ['a1'] })
    expect(parts().walk(undefined, 5, 1)).toEqual({ hits: [], gaps: [] })
  })

  test('give the hits before the first gap, after the position where the walk begins', () => {
    const some = parts()
    some.add('a1', 'a1~', ['a1a2', 'a1a5', 'a1a7'])
    some.add('b10', 'b10~', ['b10a1'])
    expect(some.walk('a1', 9, 9)).toEqual({ hits: ['a1a2', 'a1a5', 'a1a7'], gaps: ['a3'] })
    expect(some.walk('a1a5', 9, 9)).toEqual({ hits: ['a1a7'], gaps: ['a3'] })
    some.add('a3', 'a3~', ['a3a4'])
    expect(some.walk('a1', 9, 9)).toEqual({ hits: ['a1a2', 'a1a5', 'a1a7', 'a3a4', 'b10a1'], gaps: [] })
  })

  test('are looked through until more hits than wanted are known, those after gaps included', () => {
    const some = parts()
    some.add('a1', 'a1~', ['a1a2', 'a1a5'])
    expect(some.walk('a1', 1, 9).gaps).toEqual([])
    expect(some.walk('a1', 2, 9).gaps).toEqual(['a3', 'b10'])
    const others = parts()
    others.add('a3', 'a3~', ['a3a1', 'a3a2'])
    expect(others.walk('a1', 1, 9)).toEqual({ hits: [], gaps: ['a1'] })
    expect(others.walk('a1', 2, 9)).toEqual({ hits: [], gaps: ['a1', 'b10'] })
  })

  test('go on within a folder where a read ended, or where the next one begins', () => {
    const some = parts()
    some.add('a1', 'a1a5', ['a1a2', 'a1a5'])
    some.add('a1b30', 'a1~', ['a1b40'])
    some.add('a1b10', 'a1b20', ['a1b11', 'a1b20'])
    expect(some.walk('a1', 99, 9)).toEqual({ hits: ['a1a2', 'a1a5'], gaps: ['a1a5', 'a1b20', 'a3', 'b10'] })
    const late = parts()
    late.add('b10b20', 'b10b30', [])
    expect(late.walk('b10', 99, 9)).toEqual({ hits: [], gaps: ['b10', 'b10b30'] })
    const last = parts()
    last.add('b10b20', 'b10~', [])
    last.add('a3a5', 'a3~', [])
    expect(last.walk('a1', 99, 9)).toEqual({ hits: [], gaps: ['a1', 'a3', 'b10'] })
  })
})
