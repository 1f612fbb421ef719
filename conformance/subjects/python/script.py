"""The scripts of docs/scripted-agent.md, section 3, as types. What stands on the wire as it is stays plain JSON."""

import re
from typing import Any, Literal, Union

from pydantic import BaseModel, ConfigDict, Field, StrictBool, create_model, model_validator
from pydantic.alias_generators import to_camel


class Shape(BaseModel):
    """An object. Unknown members are kept, so that they can be named."""

    model_config = ConfigDict(extra='allow', alias_generator=to_camel)


class Choice(Shape):
    """An object with one member."""

    @model_validator(mode='after')
    def one(self):
        if len(self.model_fields_set) != 1:
            raise ValueError('exactly one member is needed')
        return self

    @property
    def kind(self):
        return next(iter(self.model_fields_set))

    @property
    def body(self):
        return getattr(self, self.kind)


def shape(base=Shape, **members):
    return create_model(base.__name__, __base__=base, __module__=__name__, **members)


def may(type):
    """A member that may be absent, and is None then. A present one can't be null: defaults are not validated."""
    return type, None


Actions = list['Action']
Stream = list[Union[str, 'Action']]
Object = dict[str, Any]
Value = Union[Object, list, str, bool, int, float]
Form = Literal['events', 'chunks']
Role = Literal['developer', 'system', 'assistant', 'user']
Usage = list[Object]
Failure = shape(message=str, code=may(str))
Thought = shape(id=str, stream=Stream, encrypted_value=may(str), metadata=may(Object))
End = shape(Choice, success=may(shape(result=may(Value))), suspended=may(shape(interrupts=list[str])), error=may(Failure))

Action = shape(
    Choice,
    text=may(shape(
        id=str, stream=Stream, role=may(Role), name=may(str), form=may(Form), metadata=may(Object), encrypted_value=may(str)
    )),
    tool_call=may(shape(
        id=str, name=str, stream=Stream, parent=may(str), form=may(Form), metadata=may(Object), encrypted_value=may(str)
    )),
    tool_result=may(shape(id=str, call=str, content=Union[str, list[Object]], metadata=may(Object))),
    reasoning=may(shape(messages=list[Thought], span=may(str), form=may(Form))),
    step=may(shape(name=str, do=Actions)),
    parallel=may(shape(branches=(list[Actions], Field(min_length=2)))),
    subagent=may(shape(
        id=str, name=str, do=Actions, description=may(str), parent_tool_call=may(str), parent_message=may(str),
        announce=(StrictBool, True), end=(End, End(success={})),
    )),
    state_snapshot=may(shape(snapshot=Any)),
    state_delta=may(shape(patch=list[Object])),
    messages_snapshot=may(shape(messages=list[Object])),
    activity=may(shape(id=str, type=str, content=Object, replace=may(StrictBool), metadata=may(Object))),
    activity_delta=may(shape(id=str, type=str, patch=list[Object])),
    custom=may(shape(name=str, value=Any)),
    raw=may(shape(event=Any, source=may(str))),
    emit=may(shape(event=Object)),
    echo=may(shape(pointer=str)),
    gate=may(shape(name=str)),
    replay=may(shape(run=str, do=Actions, error=may(Failure))),
    finish=may(shape(result=may(Value), pending=may(list[str]), usage=may(Usage))),
    interrupt=may(shape(interrupts=(list[Object], Field(min_length=1)), usage=may(Usage))),
    cancel=may(shape(usage=may(Usage))),
    fail=may(shape(message=str, code=may(str), usage=may(Usage), early=(StrictBool, False))),
    panic=may(shape(message=str)),
)
Action.model_rebuild()
Forwarded = shape(conformance=shape(version=Literal[1], script=Actions))


def read(forwarded_props):
    """Gives the script of an input, an empty one where it has none; raises pydantic's ValidationError for a wrong shape."""
    if 'conformance' not in (forwarded_props or {}):
        return []
    return Forwarded.model_validate(forwarded_props).conformance.script


def actions(value):
    """Gives all actions of a script, at any depth."""
    match value:
        case list():
            return [action for element in value for action in actions(element)]
        case Action():
            return [value, *actions(value.body)]
        case Shape():
            return actions([*value.__dict__.values()])
    return []


def unknown(value, name=''):
    """Names the actions and members that the contract does not have, and so no SDK has an API for."""
    match value:
        case list():
            return [more for element in value for more in unknown(element, name)]
        case Action() if value.model_extra:
            return [*value.model_extra]
        case Action():
            return unknown(value.body, to_camel(value.kind))
        case Shape():
            return [f'{name}.{more}' for more in value.model_extra] + unknown([*value.__dict__.values()], name)
    return []


def echo(input, pointer):
    """Gives the value of conformance.echo."""
    try:
        return {'present': True, 'value': look_up(input, pointer)}
    except LookupError:
        return {'present': False}


def look_up(value, pointer):
    """Gives the value at a JSON pointer (RFC 6901); raises LookupError where there is none."""
    for token in pointer.split('/')[1:]:
        token = token.replace('~1', '/').replace('~0', '~')
        match value:
            case dict():
                value = value[token]
            case list() if re.fullmatch('0|[1-9][0-9]{0,9}', token):
                value = value[int(token)]
            case _:
                raise LookupError(token)
    return value
