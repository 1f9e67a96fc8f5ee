export type SubjectName =
  | 'orders'
  | 'returns'
  | 'web'
  | 'campaigns'
  | 'inventory'
  | 'finance'
  | 'shipments'
  | 'tickets'
  | 'appointments'

export type Measure = [name: string, title: string, format: 'currency' | 'percent' | 'number']
export type Dimension = [name: string, title: string, exampleValues: string[]]

/** A view of the data model, and the questions people put to it. */
export type Subject = {
  view: SubjectName
  time: string
  measures: Measure[]
  dimensions: Dimension[]
  titles: string[]
}

const region: Dimension = ['region', 'Region', ['Great Lakes', 'New England', 'Gulf Coast', 'Benelux', 'Nordics']]

export const subjects: Record<SubjectName, Subject> = {
  orders: {
    view: 'orders',
    time: 'ordered_at',
    measures: [
      ['revenue', 'Revenue', 'currency'],
      ['count', 'Orders', 'number'],
      ['average_value', 'Average order value', 'currency'],
      ['gross_margin', 'Gross margin', 'percent'],
    ],
    dimensions: [
      region,
      ['channel', 'Channel', ['Store', 'Online', 'Wholesale']],
      ['category', 'Category', ['Lighting', 'Kitchen', 'Bath', 'Outdoor', 'Textiles']],
      ['customer_segment', 'Customer segment', ['New', 'Returning', 'Trade']],
    ],
    titles: [
      'Revenue by Channel',
      'Daily Sales Pulse',
      'Order Value Bands',
      'Margin Watch',
      'Top 50 Customers',
      'Category Mix',
      'Revenue vs. Last Year',
      'New and Returning Buyers',
      'Weekend Trading',
      'Basket Builder',
      'Order Backlog',
      'Sales Target Tracker',
    ],
  },
  returns: {
    view: 'returns',
    time: 'received_at',
    measures: [
      ['count', 'Returns', 'number'],
      ['rate', 'Return rate', 'percent'],
      ['refunded', 'Refunded', 'currency'],
    ],
    dimensions: [
      ['reason', 'Reason', ['Damaged', 'Wrong size', 'Late', 'Changed mind']],
      ['category', 'Category', ['Lighting', 'Bath']],
    ],
    titles: ['Return Reasons', 'Refund Run Rate', 'Damaged in Transit', 'Return Rate by Category', 'Repeat Returners'],
  },
  web: {
    view: 'web',
    time: 'session_started_at',
    measures: [
      ['sessions', 'Sessions', 'number'],
      ['conversion_rate', 'Conversion rate', 'percent'],
      ['revenue_per_session', 'Revenue per session', 'currency'],
    ],
    dimensions: [
      ['source', 'Source', ['search', 'email', 'direct', 'social']],
      ['device', 'Device', ['desktop', 'phone', 'tablet']],
      ['landing_page', 'Landing page', ['/', '/sale', '/new-in']],
    ],
    titles: [
      'Funnel Drop-off',
      'Sessions by Source',
      'Phone vs. Desktop',
      'Landing Page Leaders',
      'Cart Abandonment',
      'Site Search Terms',
      'Payment Failures',
    ],
  },
  campaigns: {
    view: 'campaigns',
    time: 'spent_at',
    measures: [
      ['spend', 'Spend', 'currency'],
      ['clicks', 'Clicks', 'number'],
      ['return_on_ad_spend', 'Return on ad spend', 'number'],
      ['click_through_rate', 'Click-through rate', 'percent'],
    ],
    dimensions: [
      ['platform', 'Platform', ['search', 'social', 'display', 'email']],
      ['campaign', 'Campaign', ['Spring Refresh', 'Cosy Nights', 'Trade Week']],
      ['audience', 'Audience', ['Lapsed', 'Lookalike', 'Loyal']],
    ],
    titles: [
      'Spend Pacing',
      'Campaign Scorecard',
      'Return on Ad Spend',
      'Audience Overlap',
      'Open and Click Rates',
      'Cost per First Order',
      'Creative Fatigue',
      'Attribution Paths',
      'Spring Refresh Recap',
    ],
  },
  inventory: {
    view: 'inventory',
    time: 'counted_at',
    measures: [
      ['units_on_hand', 'Units on hand', 'number'],
      ['stock_value', 'Stock value', 'currency'],
      ['sell_through', 'Sell-through', 'percent'],
      ['days_of_cover', 'Days of cover', 'number'],
    ],
    dimensions: [
      ['warehouse', 'Warehouse', ['Reno', 'Rotterdam', 'Toledo']],
      ['category', 'Category', ['Lighting', 'Kitchen', 'Bath', 'Outdoor']],
      ['supplier', 'Supplier', ['Osei Ceramics', 'Vantaa Glass', 'Lowell Mills']],
    ],
    titles: [
      'Stock on Hand',
      'Days of Cover',
      'Slow Movers',
      'Out-of-stock Alerts',
      'Sell-through by Week',
      'Reorder Suggestions',
      'Shrinkage Review',
      'Markdown Candidates',
      'Cycle Count Accuracy',
    ],
  },
  finance: {
    view: 'finance',
    time: 'posted_at',
    measures: [
      ['net_revenue', 'Net revenue', 'currency'],
      ['operating_cost', 'Operating cost', 'currency'],
      ['operating_margin', 'Operating margin', 'percent'],
      ['open_receivables', 'Open receivables', 'currency'],
    ],
    dimensions: [
      ['cost_center', 'Cost center', ['Stores', 'Logistics', 'Head office']],
      ['account_group', 'Account group', ['Freight', 'Payroll', 'Rent', 'Marketing']],
      ['entity', 'Legal entity', ['Harborline Inc.', 'Harborline BV']],
    ],
    titles: [
      'Profit and Loss',
      'Budget vs. Actual',
      'Cash Position',
      'Receivables Aging',
      'Accruals Checklist',
      'Freight Cost Bridge',
      'Headcount Cost',
      'Invoice Exceptions',
      'Working Capital',
      'Rolling Forecast',
    ],
  },
  shipments: {
    view: 'shipments',
    time: 'dispatched_at',
    measures: [
      ['count', 'Shipments', 'number'],
      ['on_time_rate', 'On-time rate', 'percent'],
      ['freight_cost', 'Freight cost', 'currency'],
    ],
    dimensions: [
      ['carrier', 'Carrier', ['Bluepine Freight', 'Kestrel Post', 'Own fleet']],
      ['origin', 'Origin', ['Reno', 'Rotterdam']],
      ['destination_country', 'Destination', ['US', 'CA', 'NL', 'NO']],
    ],
    titles: [
      'On-time in Full',
      'Carrier Scorecard',
      'Late Deliveries',
      'Freight Cost per Pallet',
      'Dock-to-stock Time',
      'Lane Heat Map',
      'Supplier Lead Times',
      'Customs Holds',
    ],
  },
  tickets: {
    view: 'tickets',
    time: 'opened_at',
    measures: [
      ['count', 'Tickets', 'number'],
      ['first_reply_minutes', 'Minutes to first reply', 'number'],
      ['resolved_rate', 'Resolved', 'percent'],
    ],
    dimensions: [
      ['topic', 'Topic', ['Delivery', 'Refund', 'Assembly', 'Invoice']],
      ['language', 'Language', ['en', 'nl', 'es']],
      ['priority', 'Priority', ['low', 'normal', 'urgent']],
    ],
    titles: [
      'Ticket Volume',
      'First Reply Time',
      'Backlog by Topic',
      'Satisfaction Comments',
      'Escalations',
      'Agent Workload',
    ],
  },
  appointments: {
    view: 'appointments',
    time: 'starts_at',
    measures: [
      ['count', 'Appointments', 'number'],
      ['no_show_rate', 'No-show rate', 'percent'],
    ],
    dimensions: [
      ['clinic', 'Clinic', ['Bayview', 'Harbor Street']],
      ['specialty', 'Specialty', ['Dental', 'Pediatrics']],
    ],
    titles: ['Booked Appointments', 'No-show Review', 'Waiting Time', 'Referral Sources'],
  },
}
