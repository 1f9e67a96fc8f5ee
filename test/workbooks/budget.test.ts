import { Budget } from '@embed-access/core/workbooks/budget.ts'
import { expect, test } from 'vitest'

test('A page may ask of the database what is left of its calls, as long as a round trip is left', () => {
  const budget = new Budget(10, 2)
  expect([budget.allows(10), budget.allows(11)]).toEqual([true, false])
  budget.spend(4)
  expect([budget.calls, budget.roundTrips]).toEqual([6, 1])
  expect([budget.allows(6), budget.allows(7)]).toEqual([true, false])
  budget.spend(1)
  expect([budget.calls, budget.roundTrips]).toEqual([5, 0])
  expect(budget.allows(1)).toBe(false)
  budget.spend(2, 3)
  expect([budget.calls, budget.roundTrips]).toEqual([3, -3])
})

test('A page may look for more while 20 calls and 3 round trips remain to check what it finds', () => {
  expect(new Budget(25, 4).allowsLooking(5)).toBe(true)
  expect(new Budget(24, 4).allowsLooking(5)).toBe(false)
  expect(new Budget(25, 3).allowsLooking(5)).toBe(false)
})

test('A budget is filled up to what a page needs at least, and never cut', () => {
  const budget = new Budget(1, 9)
  budget.leaveAtLeast(5, 3)
  expect([budget.calls, budget.roundTrips]).toEqual([5, 9])
})
