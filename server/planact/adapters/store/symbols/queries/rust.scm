[(struct_item name: (_) @type) (enum_item name: (_) @type) (union_item name: (_) @type) (trait_item name: (_) @type)
 (type_item name: (_) @type) (associated_type name: (_) @type)]
(mod_item name: (_) @module)
[(function_item name: (_) @function) (function_signature_item name: (_) @function) (macro_definition name: (_) @function)]
[(const_item name: (_) @variable) (static_item name: (_) @variable) (enum_variant name: (_) @variable)
 (field_declaration name: (_) @variable)]
[(identifier) (type_identifier) (field_identifier) (shorthand_field_identifier)] @reference
