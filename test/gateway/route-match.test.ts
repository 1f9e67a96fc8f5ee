import { describe, expect, it } from 'vitest'
import { createRouteMatcher } from '../../local/gateway/route-match.ts'

function matchAmong(...routeKeys: string[]) {
  const match = createRouteMatcher(routeKeys.map((routeKey) => ({ routeKey })))
  return (method: string, path: string) => {
    const found = match(method, path)
    return found && [found.route.routeKey, found.pathParameters]
  }
}

describe('Route matching', () => {
  const match = matchAmong('GET /pets/{kind}/{id}', 'GET /pets/dog/{id}', 'GET /pets/dog/1', 'GET /pets/{kind}')

  it('prefers a literal segment to a variable, the first before the later ones', () => {
    expect(match('GET', '/pets/dog/1')).toEqual(['GET /pets/dog/1', undefined])
    expect(match('GET', '/pets/dog/2')).toEqual(['GET /pets/dog/{id}', { id: '2' }])
    expect(match('GET', '/pets/bird/2')).toEqual(['GET /pets/{kind}/{id}', { kind: 'bird', id: '2' }])
    expect(match('GET', '/pets/bird')).toEqual(['GET /pets/{kind}', { kind: 'bird' }])
    expect(matchAmong('GET /{a}/b/c', 'GET /a/{b}/{c}')('GET', '/a/b/c')?.[0]).toBe('GET /a/{b}/{c}')
  })

  it('takes the method as it is', () => {
    const methods = matchAmong('GET /a', 'POST /a')
    expect(methods('POST', '/a')?.[0]).toBe('POST /a')
    for (const method of ['HEAD', 'get', 'ANY', '']) expect(methods(method, '/a')).toBeUndefined()
  })

  it('does not depend on the order in which routes are given', () => {
    const keys = ['GET /a', 'GET /{x}/c', 'GET /a/{x}', 'GET /a/b']
    for (const order of [keys, keys.toReversed()]) {
      expect(matchAmong(...order)('GET', '/a/b')?.[0]).toBe('GET /a/b')
      expect(matchAmong(...order)('GET', '/a/c')?.[0]).toBe('GET /a/{x}')
      expect(matchAmong(...order)('GET', '/b/c')?.[0]).toBe('GET /{x}/c')
    }
  })

  it('takes a path with a trailing or a repeated slash for another path', () => {
    const strict = matchAmong('GET /a', 'GET /a/{b}', 'GET /')
    for (const path of ['/a/', '//a', '/a//', '/a//b', '/a/b/', '//']) expect(strict('GET', path)).toBeUndefined()
    expect(strict('GET', '/')?.[0]).toBe('GET /')
  })

  it('is case-sensitive and takes pattern characters literally', () => {
    const literal = matchAmong('GET /A.b')
    expect(literal('GET', '/A.b')).toBeDefined()
    expect(literal('GET', '/a.b')).toBeUndefined()
    expect(literal('GET', '/Axb')).toBeUndefined()
  })

  it('keeps a path parameter called __proto__ as data', () => {
    const found = createRouteMatcher([{ routeKey: 'GET /{__proto__}' }])('GET', '/polluted')
    expect(Object.entries(found?.pathParameters ?? {})).toEqual([['__proto__', 'polluted']])
  })

  it.each(['GET', '/a', 'get /a', 'GET a', 'GET /{a+}', 'GET /{a+}/b', 'GET /a{b}', 'GET /{}', 'GET /{a'])(
    'refuses %j as a route key',
    (routeKey) => expect(() => createRouteMatcher([{ routeKey }])).toThrow('is not a route key'),
  )

  it('refuses the same route key twice', () => {
    expect(() => createRouteMatcher([{ routeKey: 'GET /a' }, { routeKey: 'GET /a' }])).toThrow('given twice')
  })
})
