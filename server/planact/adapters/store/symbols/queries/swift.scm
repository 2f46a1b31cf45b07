[(class_declaration name: (type_identifier) @type) (protocol_declaration name: (_) @type)
 (typealias_declaration name: (type_identifier) @type)]
[(function_declaration name: (simple_identifier) @function) (protocol_function_declaration name: (simple_identifier) @function)]
[(source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @variable)))
 (class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @variable)))
 (protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @variable))
 (enum_entry name: (simple_identifier) @variable)]
[(simple_identifier) (type_identifier)] @reference
