// The table of rules: one id, one severity, one line of meaning each. The validator, the messages,
// redo-rules(7) and the names of the negative test vectors come from here.

/// How much a broken rule weighs.
package enum Severity: String, Sendable {
  /// The object is refused.
  case error
  /// The object is accepted, and the finding is reported.
  case warning
  /// Worth knowing, nothing is wrong.
  case info

  /// How a setting `verify.<rule>` says it; no setting says `info`.
  package var settingWord: String? {
    switch self {
    case .error: "error"
    case .warning: "warn"
    case .info: nil
    }
  }
}

/// A rule of the protocol; the raw value is its public id.
package enum Rule: String, CaseIterable, Sendable {
  // JSON (section 1.2); the place of a finding is a byte offset.
  case jsonSyntax = "json-syntax"
  case jsonUTF8 = "json-utf8"
  case jsonByteOrderMark = "json-bom"
  case jsonSurrogate = "json-surrogate"
  case jsonDuplicateName = "json-duplicate-name"
  case jsonDepth = "json-depth"
  case jsonTrailing = "json-trailing"
  case jsonNumberOverflow = "json-number-overflow"
  case jsonNumberUnderflow = "json-number-underflow"
  case jsonNumberPrecision = "json-number-precision"

  // DAG-CBOR (RFC 8949, 4.2, and IPLD); the place of a finding is a byte offset.
  case cborSyntax = "cbor-syntax"
  case cborTrailing = "cbor-trailing"
  case cborLength = "cbor-length"
  case cborIndefinite = "cbor-indefinite"
  case cborKeyOrder = "cbor-key-order"
  case cborDuplicateKey = "cbor-duplicate-key"
  case cborKeyType = "cbor-key-type"
  case cborUTF8 = "cbor-utf8"
  case cborFloat = "cbor-float"
  case cborInteger = "cbor-integer"
  case cborSimple = "cbor-simple"
  case cborTag = "cbor-tag"
  case cborDepth = "cbor-depth"

  // The form of a node (sections 1 and 1.2); the place is a JSON pointer.
  case nodeType = "node-type"
  case nodeSize = "node-size"
  case memberMissing = "member-missing"
  case memberUnknown = "member-unknown"
  case memberNull = "member-null"
  case memberEnvelope = "member-envelope"
  case idForm = "id-form"
  case versionUnsupported = "version-unsupported"
  case parentsForm = "parents-form"
  case parentsDuplicate = "parents-duplicate"
  case parentsLimit = "parents-limit"
  case lamportForm = "lamport-form"
  case wallForm = "wall-form"
  case wallPrecision = "wall-precision"
  case userIDForm = "user-id-form"
  case userIDMismatch = "user-id-mismatch"
  case deviceIDForm = "device-id-form"
  case publicKeyForm = "public-key-form"
  case authorText = "author-text"
  case actionForm = "action-form"
  case taskIDForm = "task-id-form"
  case taskIDMissing = "task-id-missing"
  case dataShape = "data-shape"
  case conflictResolutionForm = "conflict-resolution-form"
  case signatureForm = "signature-form"

  // The form of a receipt (receipts, sections 1.2 to 1.4); the place is a JSON pointer.
  case receiptSize = "receipt-size"
  case receiptForm = "receipt-form"
  case didForm = "did-form"
  case receiptTypeForm = "receipt-type-form"
  case cidForm = "cid-form"
  case receiptRootForm = "receipt-root-form"
  case blobsForm = "blobs-form"

  // The form of a definition of a schema (schemas, section 1.4); the place is a JSON pointer.
  case schemaSize = "schema-size"
  case schemaForm = "schema-form"
  case schemaIDForm = "schema-id-form"
  case schemaVersionForm = "schema-version-form"
  case schemaFieldForm = "schema-field-form"
  case schemaFieldDuplicate = "schema-field-duplicate"
  case schemaRuleForm = "schema-rule-form"
  case schemaOrder = "schema-order"
  case schemaKeyForm = "schema-key-form"

  // The content of an action (sections 3 and 4); the place is a JSON pointer.
  case payloadMissing = "payload-missing"
  case payloadType = "payload-type"
  case payloadForbidden = "payload-forbidden"
  case payloadRange = "payload-range"
  case mergeParents = "merge-parents"
  case actionUnknown = "action-unknown"

  // The content of a receipt (receipts, section 1.6); the place is a JSON pointer.
  case claimedMissing = "claimed-missing"
  case arrayOrder = "array-order"
  case receiptTypeUnknown = "receipt-type-unknown"
  case receiptPrecise = "receipt-precise"

  // Identity and signature (section 1.1).
  case hashMismatch = "hash-mismatch"
  case signatureBad = "signature-bad"
  case signatureMissing = "signature-missing"
  case keyUnknown = "key-unknown"
  case userIDCollision = "user-id-collision"
  case signatureVariant = "signature-variant"
  case keyUntrusted = "key-untrusted"
  case keyExpired = "key-expired"
  case keyRevoked = "key-revoked"
  case didKeyMismatch = "did-key-mismatch"
  case didUnbound = "did-unbound"
  case deviceCollision = "device-collision"

  // What a node is to its parents (sections 1.3 and 2).
  case parentMissing = "parent-missing"
  case parentRefused = "parent-refused"
  case lamportNotIncreasing = "lamport-not-increasing"
  case lamportJump = "lamport-jump"
  case receiptRootMismatch = "receipt-root-mismatch"
  case receiptAuthorChange = "receipt-author-change"
  case receiptUnpinned = "receipt-unpinned"
  case tombstoneForeign = "tombstone-foreign"

  // What definitions are to each other, and to files of the app (schemas, sections 1.2 and 2).
  case schemaIDMismatch = "schema-id-mismatch"
  case schemaUnknownMember = "schema-unknown-member"

  // What a schema is to its parents (schemas, section 1.4); the place is a JSON pointer.
  case schemaParent = "schema-parent"
  case schemaLost = "schema-lost"
  case schemaProvenance = "schema-provenance"
  case schemaClockRange = "schema-clock-range"
  case schemaStampAuthor = "schema-stamp-author"
  case schemaClockAhead = "schema-clock-ahead"

  // What an edit of a schema may be (schemas, sections 3 and 7); the place is a JSON pointer into the definition.
  case schemaTypeChanged = "schema-type-changed"
  case schemaLimit = "schema-limit"
  case schemaReserved = "schema-reserved"
  case schemaFieldAbsent = "schema-field-absent"

  // What fields of a schema are to each other (schemas, section 3).
  case schemaNameCollision = "schema-name-collision"
  case schemaTwins = "schema-twins"
  case schemaFieldDiverged = "schema-field-diverged"
  case schemaProvenanceDiverged = "schema-provenance-diverged"
  case schemaMergedCircle = "schema-merged-circle"
  case schemaDeprecatedData = "schema-deprecated-data"

  // Whether records of one definition fit another one (schemas, section 3).
  case compatFieldLost = "compat-field-lost"
  case compatType = "compat-type"
  case compatPattern = "compat-pattern"
  case compatRequired = "compat-required"
  case compatRuleTighter = "compat-rule-tighter"
  case compatOptional = "compat-optional"
  case compatRuleLooser = "compat-rule-looser"
  case compatRequiredHidden = "compat-required-hidden"
  case compatAdded = "compat-added"
  case compatRenamed = "compat-renamed"
  case compatHidden = "compat-hidden"
  case compatRestored = "compat-restored"
  case compatDeprecated = "compat-deprecated"
  case compatText = "compat-text"

  // The records of schemas (schemas, section 2); the place is a JSON pointer.
  case recordForm = "record-form"
  case recordType = "record-type"
  case recordRequired = "record-required"
  case recordRule = "record-rule"
  case recordUnknownKey = "record-unknown-key"
  case recordKeyShadowed = "record-key-shadowed"
  case recordDeprecated = "record-deprecated"
  case recordSchemaMissing = "record-schema-missing"
  case recordMergeConflict = "record-merge-conflict"

  // The profile `genesis` (section 1.3).
  case genesisCreate = "genesis-create"
  case genesisLamport = "genesis-lamport"
  case genesisCreateDuplicate = "genesis-create-duplicate"

  // The store (section 7).
  case objectCorrupt = "object-corrupt"
  case objectMissing = "object-missing"
  case fileKind = "file-kind"
  case fileMissing = "file-missing"
  case fileMode = "file-mode"
  case fileStray = "file-stray"
  case fileUnfinished = "file-unfinished"
  case configForm = "config-form"
  case trustForm = "trust-form"
  case keyringExposed = "keyring-exposed"
  case keyringForm = "keyring-form"
  case refsCorrupt = "refs-corrupt"
  case refsBehind = "refs-behind"
  case journalTorn = "journal-torn"
  case reflogCorrupt = "reflog-corrupt"
  case receivedCorrupt = "received-corrupt"
  case createdCorrupt = "created-corrupt"
  case localCorrupt = "local-corrupt"
  case localRow = "local-row"
  case accessCorrupt = "access-corrupt"
  case refTarget = "ref-target"
  case refHead = "ref-head"
  case nodeUnreachable = "node-unreachable"
  case nodeUnreceived = "node-unreceived"
  case wallImplausible = "wall-implausible"
  case packCorrupt = "pack-corrupt"
  case packIndex = "pack-index"
  case archiveList = "archive-list"
  case archiveOffline = "archive-offline"
  case indexCorrupt = "index-corrupt"
  case snapshotCorrupt = "snapshot-corrupt"
  case cacheWrong = "cache-wrong"
  case checkpointForm = "checkpoint-form"
  case checkpointDiverged = "checkpoint-diverged"

  // The app's database (receipts, section 3.4); the place is the column.
  case databaseVersion = "db-version"
  case databaseColumn = "db-column"

  /// The public id, kebab-case.
  package var id: String { rawValue }

  /// The severity under profile `v1`; stricter profiles raise some (see `Profile`).
  package var severity: Severity {
    switch self {
    case .wallPrecision, .taskIDMissing, .payloadRange, .actionUnknown, .userIDCollision,
      .lamportNotIncreasing, .lamportJump, .wallImplausible, .signatureMissing, .keyUnknown,
      .keyUntrusted, .claimedMissing, .receiptPrecise, .deviceCollision, .receiptAuthorChange,
      .receiptUnpinned, .tombstoneForeign, .fileMode, .fileStray, .journalTorn, .refHead,
      .nodeUnreachable, .nodeUnreceived,
      .createdCorrupt, .packIndex, .archiveOffline, .indexCorrupt, .snapshotCorrupt,
      .databaseColumn, .schemaUnknownMember, .schemaStampAuthor, .schemaClockAhead,
      .schemaFieldAbsent, .schemaNameCollision, .schemaTwins, .schemaFieldDiverged,
      .schemaProvenanceDiverged, .schemaMergedCircle, .schemaDeprecatedData,
      .recordType, .recordRequired, .recordRule,
      .recordUnknownKey, .recordKeyShadowed, .recordDeprecated, .recordSchemaMissing,
      .recordMergeConflict:
      .warning
    case .signatureVariant, .fileUnfinished, .arrayOrder, .receiptTypeUnknown, .didUnbound,
      .compatAdded, .compatRenamed, .compatHidden, .compatRestored, .compatDeprecated, .compatText:
      .info
    case .jsonSyntax, .jsonUTF8, .jsonByteOrderMark, .jsonSurrogate, .jsonDuplicateName,
      .jsonDepth, .jsonTrailing, .jsonNumberOverflow, .jsonNumberUnderflow,
      .jsonNumberPrecision,
      .cborSyntax, .cborTrailing, .cborLength, .cborIndefinite, .cborKeyOrder, .cborDuplicateKey,
      .cborKeyType, .cborUTF8, .cborFloat, .cborInteger, .cborSimple, .cborTag, .cborDepth,
      .nodeType, .nodeSize, .memberMissing, .memberUnknown, .memberNull,
      .memberEnvelope, .idForm, .versionUnsupported, .parentsForm, .parentsDuplicate,
      .parentsLimit, .lamportForm, .wallForm, .userIDForm, .userIDMismatch, .deviceIDForm,
      .publicKeyForm, .authorText, .actionForm, .taskIDForm, .dataShape,
      .conflictResolutionForm, .signatureForm,
      .receiptSize, .receiptForm, .didForm, .receiptTypeForm, .cidForm, .receiptRootForm,
      .blobsForm, .schemaSize, .schemaForm, .schemaIDForm, .schemaVersionForm, .schemaFieldForm,
      .schemaFieldDuplicate, .schemaRuleForm, .schemaOrder, .schemaKeyForm, .schemaIDMismatch,
      .schemaParent, .schemaLost, .schemaProvenance, .schemaClockRange, .schemaTypeChanged,
      .schemaLimit, .schemaReserved, .compatFieldLost, .compatType, .compatPattern, .compatRequired,
      .compatRuleTighter, .compatOptional, .compatRuleLooser, .compatRequiredHidden,
      .recordForm,
      .didKeyMismatch, .receiptRootMismatch, .payloadMissing, .payloadType, .payloadForbidden,
      .mergeParents, .hashMismatch, .signatureBad, .parentMissing,
      .parentRefused,
      .genesisCreate, .genesisLamport, .genesisCreateDuplicate, .keyExpired, .keyRevoked,
      .objectCorrupt, .objectMissing, .packCorrupt, .archiveList, .fileKind, .fileMissing,
      .configForm,
      .trustForm, .keyringExposed, .keyringForm, .refsCorrupt, .refsBehind, .reflogCorrupt,
      .receivedCorrupt, .accessCorrupt, .localCorrupt, .localRow, .refTarget, .cacheWrong,
      .checkpointForm,
      .checkpointDiverged, .databaseVersion:
      .error
    }
  }

  /// Whether no setting makes it less than an error: an object or a pack is not what its name says, or
  /// its signature does not hold.
  package var isAlwaysError: Bool {
    switch self {
    case .objectCorrupt, .packCorrupt, .hashMismatch, .signatureBad, .didKeyMismatch: true
    default: false
    }
  }

  /// One line that says what must hold.
  package var meaning: StaticString {
    switch self {
    case .jsonSyntax: "the text follows the JSON grammar and does not end too early"
    case .jsonUTF8: "the text is well-formed UTF-8"
    case .jsonByteOrderMark: "the text does not begin with a byte order mark"
    case .jsonSurrogate: "an escaped surrogate stands in a pair"
    case .jsonDuplicateName: "the members of an object have different names"
    case .jsonDepth: "objects and arrays are nested at most 512 deep"
    case .jsonTrailing: "nothing but white space follows the value"
    case .jsonNumberOverflow: "a number is not too large for a double"
    case .jsonNumberUnderflow: "a number other than zero does not become zero as a double"
    case .jsonNumberPrecision: "an integer is exactly representable as a double"
    case .cborSyntax: "the bytes follow the grammar of CBOR and do not end too early"
    case .cborTrailing: "nothing follows the value"
    case .cborLength: "a length, an integer or a tag is written in the fewest bytes"
    case .cborIndefinite: "a length is stated"
    case .cborKeyOrder: "the keys of a map are ordered by length, then by bytes"
    case .cborDuplicateKey: "the members of a map have different keys"
    case .cborKeyType: "a key is a text"
    case .cborUTF8: "a text is well-formed UTF-8"
    case .cborFloat: "a float has 64 bits, is finite, and is no zero with a sign"
    case .cborInteger: "an integer is one of 64 bits with a sign"
    case .cborSimple: "a simple value is false, true or null"
    case .cborTag: "a tag is 42, on a zero and the CID of DAG-CBOR or raw bytes under SHA-256"
    case .cborDepth: "maps and arrays are nested at most 32 deep"
    case .nodeType: "a node, its timestamp and its author are JSON objects"
    case .nodeSize: "a node has at most 1,048,576 bytes"
    case .memberMissing: "a required member is present"
    case .memberUnknown: "there is no member that the protocol does not name"
    case .memberNull: "a member is left out rather than null"
    case .memberEnvelope: "members of a remote's copy (accessList, createdAt) are taken off"
    case .idForm: "an id is 'sha256:' and 64 lower-case hex digits"
    case .versionUnsupported: "version is the number 1"
    case .parentsForm: "parents is an array of ids"
    case .parentsDuplicate: "no parent is named twice"
    case .parentsLimit: "a node has at most 64 parents"
    case .lamportForm: "lamport is an integer from 1 to 2^48"
    case .wallForm: "a wall time is YYYY-MM-DDTHH:MM:SS.mmmZ and exists"
    case .wallPrecision: "a time has milliseconds"
    case .userIDForm: "userId is 32 lower-case hex digits"
    case .userIDMismatch: "userId is the first half of publicKey"
    case .deviceIDForm: "deviceId is a string that is not empty, in a receipt of at most 128 bytes"
    case .publicKeyForm: "publicKey is 64 lower-case hex digits"
    case .authorText: "name, email and deviceName are strings"
    case .actionForm: "action is an upper-case word of at most 64 letters, digits and _"
    case .taskIDForm: "taskId is a UUID"
    case .taskIDMissing: "a known action names its task"
    case .dataShape: "data is an object with exactly one of fields and payload, an object"
    case .conflictResolutionForm: "conflictResolution is an object, and only a MERGE has it"
    case .signatureForm: "signature is 128 lower-case hex digits, or Base64 beside a receipt"
    case .payloadMissing: "the members that an action or a type of receipts requires are present"
    case .payloadType: "the members of an action or a type of receipts are of their types"
    case .payloadForbidden: "an action has no member that belongs to another one"
    case .payloadRange: "a number and a text are no larger than they may be"
    case .receiptSize: "a receipt has at most 65,536 bytes"
    case .receiptForm: "a receipt is a map, and its payload a map, or bytes that are one"
    case .didForm: "did is 'did:', a method, ':' and a name of at most 200 characters"
    case .receiptTypeForm: "receiptType is dotted lower-case words, '/v' and a version"
    case .cidForm: "a CID is one of version 1 with a SHA-256, and of a receipt where one is named"
    case .receiptRootForm: "rootCID is SELF or absent without a parent, and the root's CID with one"
    case .blobsForm: "blobs is an array of maps of cid, mimeType, size and encrypted"
    case .claimedMissing: "claimed_time_ms says when it happened"
    case .arrayOrder: "texts of an array, and blobs, are ordered by their bytes"
    case .receiptTypeUnknown: "the type of a receipt is one that is known"
    case .receiptPrecise: "a receipt does not say where somebody was to the metre"
    case .didKeyMismatch: "a did that is made of a key is made of the signer's"
    case .didUnbound: "a did is made of a key"
    case .deviceCollision: "one device has one key"
    case .receiptRootMismatch: "a receipt has the root of its parent"
    case .receiptAuthorChange: "a receipt has the author of its parent"
    case .receiptUnpinned: "what changes a receipt is bound to its author, device or a pin"
    case .tombstoneForeign: "a receipt is deleted by its author alone"
    case .schemaSize: "a schema has at most 1,048,576 bytes"
    case .schemaForm: "a definition of a schema has members of the right types"
    case .schemaIDForm: "the id of a schema is a text of 1 to 200 bytes, and its scope a UUID"
    case .schemaVersionForm: "a version of a schema is a time, a UUID and a counter below 2^53"
    case .schemaFieldForm: "a field of a schema has members of the right types"
    case .schemaFieldDuplicate: "two fields of a schema differ in id or type"
    case .schemaRuleForm: "a rule for values is one that is known, with a bound of its type"
    case .schemaOrder: "fields of a schema are ordered by place, id and type, and keys by bytes"
    case .schemaKeyForm: "a key of a schema is a text of 1 to 200 bytes, and no UUID"
    case .schemaIDMismatch: "definitions that are joined have one id and one scope"
    case .schemaUnknownMember: "a schema that is imported has members that are known"
    case .schemaParent: "the parents of a schema are schemas with its id and scope"
    case .schemaLost: "a schema lacks nothing that a parent has"
    case .schemaProvenance: "a field keeps who created it and when"
    case .schemaClockRange: "versions and changes of fields are before the year 9999"
    case .schemaStampAuthor: "new stamps of a schema that was not imported are those of its device"
    case .schemaClockAhead: "a new stamp of a schema is at most a day later than its receipt"
    case .schemaTypeChanged: "a field keeps its type, and is merged into one of the same type"
    case .schemaLimit: "what an edit adds to a schema is not too much, nor too long"
    case .schemaReserved: "schemas whose ids begin with 'redo.' are edited by their own commands"
    case .schemaFieldAbsent: "a schema that is imported has the fields that are here"
    case .schemaNameCollision: "active fields of a schema have different names"
    case .schemaTwins: "an id has fields of one type"
    case .schemaFieldDiverged: "no edit of a field is lost to another one made at the same time"
    case .schemaProvenanceDiverged: "a field was created once"
    case .schemaMergedCircle: "fields are not merged into each other in a circle"
    case .schemaDeprecatedData: "no record has values of a deprecated field"
    case .compatFieldLost: "a field of the old schema is in the new one"
    case .compatType: "a field has the same type in both schemas"
    case .compatPattern: "a field has the same patterns in both schemas"
    case .compatRequired: "a field that the new schema requires is required by the old one"
    case .compatRuleTighter: "a rule for values is no tighter in the new schema"
    case .compatOptional: "a field that the old schema requires is required by the new one"
    case .compatRuleLooser: "a rule for values is no looser in the new schema"
    case .compatRequiredHidden: "a field that the old schema requires is active in the new one"
    case .compatAdded: "a field of the new schema is in the old one"
    case .compatRenamed: "a field has the same name in both schemas"
    case .compatHidden: "a field that the new schema hides is hidden in the old one"
    case .compatRestored: "a field that is active in the new schema is so in the old one"
    case .compatDeprecated: "a field that is deprecated in the new schema is so in the old one"
    case .compatText: "texts and other members are the same in both schemas"
    case .recordForm: "a record in a file of the app has members of the right types"
    case .recordType: "a value of a record is of the type of its field"
    case .recordRequired: "a record has a value for each active field that is required"
    case .recordRule: "a value of a record keeps the rules of its field"
    case .recordUnknownKey: "a key of a record names a field of its schema"
    case .recordKeyShadowed: "a field has its value under one key of a record"
    case .recordDeprecated: "a record has no value of a field that is deprecated"
    case .recordSchemaMissing: "the schema that a record names is there"
    case .recordMergeConflict: "fields of which one was merged into the other have one value"
    case .mergeParents: "a MERGE has two or more parents"
    case .actionUnknown: "the action is one that replay knows"
    case .hashMismatch: "the id is the SHA-256 of the canonical body"
    case .signatureBad: "a signature by a known key holds"
    case .signatureMissing: "the node is signed"
    case .keyUnknown: "the signer's public key is known"
    case .userIDCollision: "one userId stands for one public key"
    case .signatureVariant: "a node arrives with one signature only"
    case .keyUntrusted: "the signer's key stands in the trust file, where there is one"
    case .keyExpired: "a node's wall time lies in the time for which its key is trusted"
    case .keyRevoked: "the signer's key is not revoked, or its node is among those that stay good"
    case .parentMissing: "every parent is present"
    case .parentRefused: "no parent is itself refused"
    case .lamportNotIncreasing: "lamport is greater than every parent's"
    case .lamportJump: "lamport is at most 1,000,000 above the greatest parent's"
    case .genesisCreate: "a CREATE has no parents and lamport 1"
    case .genesisLamport: "lamport is one more than the greatest parent's"
    case .genesisCreateDuplicate: "a task has one CREATE"
    case .objectCorrupt: "an object's bytes are what its name and header say"
    case .objectMissing: "a named object is present"
    case .fileKind: "what stands in a store is of the kind that its name says"
    case .fileMissing: "every file that a store cannot do without is present"
    case .fileMode: "objects are read-only, and nobody but the owner writes in a store"
    case .fileStray: "every file of a store has a meaning"
    case .fileUnfinished: "no crashed writer has left an unfinished file"
    case .configForm: "the settings can be read, and their values are ones that they may have"
    case .trustForm: "every line of the trust file is one of redo-trust(1)"
    case .keyringExposed: "nobody but the owner can read the keyring"
    case .keyringForm: "the slots of the keyring hold what their names say"
    case .refsCorrupt: "the refs and their journal have the hashes that they state"
    case .refsBehind: "the refs have every change of which reflog and received log know"
    case .journalTorn: "the last record of the journal is whole"
    case .reflogCorrupt: "the hashes of the reflog chain its entries up to the refs"
    case .receivedCorrupt: "the frames of the received log have the hashes that they state"
    case .localCorrupt: "the records of local rows have the hashes that they state"
    case .localRow: "a local row has the columns of its table, and each the values of that"
    case .createdCorrupt: "the records of when remotes had nodes have the hashes that they state"
    case .accessCorrupt: "the records of access lists have the hashes that they state"
    case .refTarget: "a ref names an object that is here, and a head a node of its task"
    case .refHead: "no head of a task is an ancestor of another"
    case .nodeUnreachable: "a node that was received is reached from a ref"
    case .nodeUnreceived: "a node of the history stands in the received log"
    case .wallImplausible: "a wall time is not before 2000, and at most a day after its receipt"
    case .packCorrupt: "a pack holds the nodes that it names, and is what it says of itself"
    case .packIndex: "beside a pack stands an index that says where its nodes are"
    case .archiveList: "the list of registered archives has the hash that it states"
    case .archiveOffline: "the file of a registered archive is where the list of them says"
    case .indexCorrupt: "the files of the index of the history have the hashes that they state"
    case .snapshotCorrupt: "a snapshot is one, and has the hashes that it states"
    case .cacheWrong: "what is kept of the nodes to be faster says what they say"
    case .checkpointForm: "a checkpoint is a signed note whose signature holds"
    case .checkpointDiverged: "the history extends every checkpoint that was made of it"
    case .databaseVersion: "a database of the app has its first migration, and all are known"
    case .databaseColumn: "a column has a value of its kind, the one that the receipt's bytes say"
    }
  }
}
