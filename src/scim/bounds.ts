import contract from '../../generated/scim.json' with { type: 'json' };

const { schemas, parameters } = contract.components;

/** Limits of the contract. They apply to values after they are read, regardless of the form that the client sent. */
export const BOUNDS = {
  operations: schemas.PatchInput.properties.Operations.maxItems,
  pathLength: schemas.PatchOperation.properties.path.maxLength,
  /** Maximum length of a filter, and of all requested attribute names together. */
  filterLength: parameters.Filter.schema.maxLength,
  members: schemas.GroupInput.properties.members.maxItems,
  memberLength: schemas.MemberInput.properties.value.maxLength,
};
