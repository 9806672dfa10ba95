import { describe, expect, it } from 'vitest';
import type { DomainEvent } from '../../contracts/events.ts';
import { decisionsOf, stateAfter } from '../given-when-then.fixture.ts';
import { type AdminsCommand, adminsDecider, delistedGrant } from './admins.ts';

const [rahim, mina] = ['a'.repeat(32), 'b'.repeat(32)];
const listed = (person: string, grant = 1): DomainEvent => ({ type: 'AdminListed', data: { person, grant } });
const delisted = (person: string, grant = 1): DomainEvent => ({ type: 'AdminDelisted', data: { person, grant } });
const list = (person: string, grant = 1): AdminsCommand => ({ type: 'ListAdmin', userId: person, grant });
const delist = (person: string, grant = 1): AdminsCommand => ({
  type: 'DelistAdmin',
  userId: person,
  grant,
  evenIfLast: false,
});
const { given } = decisionsOf(adminsDecider);

describe('the admins', () => {
  it('AUTH2 an admin grant is listed only once, and never again after it has been delisted', () => {
    expect(given().when(list(rahim))).toEqual({ events: [listed(rahim)] });
    expect(given(listed(rahim)).when(list(rahim))).toEqual({ events: [] });
    expect(given(listed(rahim), listed(mina), delisted(rahim)).when(list(rahim))).toEqual({ events: [] });
    expect(given(listed(rahim), listed(mina), delisted(rahim)).when(list(rahim, 2))).toEqual({
      events: [listed(rahim, 2)],
    });
  });

  it('AUTH2 an admin can be delisted while another admin is listed, and delisting the same grant again changes nothing', () => {
    const both = [listed(rahim), listed(mina)];
    expect(given(...both).when(delist(rahim))).toEqual({ events: [delisted(rahim)] });
    expect(given(...both, delisted(rahim)).when(delist(rahim))).toEqual({ events: [] });
    expect(given(...both, delisted(rahim), listed(rahim, 2)).when(delist(rahim))).toEqual({ events: [] });
  });

  it("AUTH2 an admin can't be delisted if no other admin is listed", () => {
    const refused = { refused: { code: 'last_admin' } };
    expect(given(listed(rahim)).when(delist(rahim))).toEqual(refused);
    expect(given().when(delist(rahim))).toEqual(refused);
    expect(given(listed(rahim), listed(mina), delisted(mina)).when(delist(rahim))).toEqual(refused);
  });

  it('AUTH2 a grant can be delisted before it is listed, and then can’t be listed afterwards', () => {
    expect(given(listed(rahim)).when(delist(mina))).toEqual({ events: [delisted(mina)] });
    expect(given(listed(rahim), delisted(mina)).when(list(mina))).toEqual({ events: [] });
  });

  it('AUTH2 the last admin can be delisted if the command explicitly allows it', () => {
    expect(given(listed(rahim)).when({ ...delist(rahim), evenIfLast: true } as AdminsCommand)).toEqual({
      events: [delisted(rahim)],
    });
  });

  it("AUTH2 a person's admin grants may be revoked only up to the newest grant that has been delisted", () => {
    const after = (...events: DomainEvent[]) => delistedGrant(stateAfter(adminsDecider, events), rahim);
    expect(after()).toBe(0);
    expect(after(listed(rahim))).toBe(0);
    expect(after(listed(rahim), delisted(rahim))).toBe(1);
    expect(after(listed(rahim), delisted(rahim), listed(rahim, 2))).toBe(1);
  });
});
