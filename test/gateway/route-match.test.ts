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
  it('takes what a variable segment has', () => {
    const match = matchAmong('GET /pets/{kind}/{id}', 'GET /pets', 'GET /pets/{kind}')
    expect(match('GET', '/pets/bird/2')).toEqual(['GET /pets/{kind}/{id}', { kind: 'bird', id: '2' }])
    expect(match('GET', '/pets/bird')).toEqual(['GET /pets/{kind}', { kind: 'bird' }])
    expect(match('GET', '/pets')).toEqual(['GET /pets', undefined])
  })

  it('takes the method as it is', () => {
    const methods = matchAmong('GET /a', 'POST /a')
    expect(methods('POST', '/a')?.[0]).toBe('POST /a')
    for (const method of ['HEAD', 'get', 'ANY', '']) expect(methods(method, '/a')).toBeUndefined()
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
})
