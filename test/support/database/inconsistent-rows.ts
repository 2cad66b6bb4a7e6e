/**
 * A query for broken invariants of orders and their sales: one row per violation, with its description. It assumes that every order was
 * placed under an idempotency key and that no retention has run.
 */
export const INCONSISTENT_ROWS = `
  select 'order without the code of its shop' as what from delivery_order o
    where not exists (select from shop_code c
                      where c.org_id = o.org_id and o.id::text like overlay(c.code placing '-' from 9 for 0) || '__-8%')
  union all select 'place of an order' from locator where kind = 'order'
  union all select 'order without its key' from delivery_order o
    where 1 <> (select count(*) from idempotency_key k where k.org_id = o.org_id and k.subject_id = o.id)
  union all select 'key of no order' from idempotency_key k
    where not exists (select from delivery_order o where o.org_id = k.org_id and o.id = k.subject_id)
  union all select 'order of nobody' from delivery_order o
    where not exists (select from customer c where c.org_id = o.org_id and c.id = o.customer_id)
  union all select 'customer who ordered nothing' from customer c
    where not exists (select from delivery_order o where o.org_id = c.org_id and o.customer_id = c.id)
      and not exists (select from loyalty_card l where l.org_id = c.org_id and l.customer_id = c.id)
  union all select 'phone of two customers' from customer group by phone having count(*) > 1
  union all select 'order to no address' from delivery_order o
    where address_id is not null and not exists (
      select from customer_address a where a.org_id = o.org_id and a.id = o.address_id and a.customer_id = o.customer_id)
  union all select 'address used otherwise than by its orders' from customer_address a
    where use_count <> (select count(*) from delivery_order o where o.org_id = a.org_id and o.address_id = a.id)
  union all select 'message about nothing' from outbox m
    where not exists (select from delivery_order o where o.org_id = m.org_id and o.id = m.subject_id)
  union all select 'change of an order not logged once' from delivery_order o
    where revision <> (select count(*) from change c where c.org_id = o.org_id and c.type = 'delivery' and c.id = o.id)
  union all select 'change of no order' from change c
    where type = 'delivery' and not exists (select from delivery_order o where o.org_id = c.org_id and o.id = c.id)
  union all select 'change of an order not audited once' from delivery_order o
    where revision <> 1 + (select count(*) from audit a where a.org_id = o.org_id and a.subject = 'order' and a.subject_id = o.id)
  union all select 'delivered order without its sale' from delivery_order o
    where status = 'delivered' and not exists (
      select from sale s where s.org_id = o.org_id and s.id = o.id and s.total = o.total and s.till_id is not distinct from o.till_id)
  union all select 'sale of no delivered order' from sale s
    where not exists (select from delivery_order o where o.org_id = s.org_id and o.id = s.id and o.status = 'delivered')
  union all select 'sale that is not paid' from sale s
    where total <> (select sum(amount) from sale_payment p where p.org_id = s.org_id and p.sale_id = s.id)
  union all select 'gap in the sale numbers' from sale_number n
    where last <> (select count(*) from sale s join branch b on b.org_id = s.org_id and b.id = s.branch_id
                   where s.org_id = n.org_id and b.code = n.branch_code and s.business_date = n.date)
  union all select 'gap in the change log' from change_counter n
    where seq - trimmed <> (select count(*) from change c where c.org_id = n.org_id)
       or seq <> (select max(seq) from change c where c.org_id = n.org_id)
`;
