"""How people say in English that a plan is to be carried out, as phrases in the notation of `phrases`.

What is not written here approves nothing. So words that hedge, put off, pick a part or name another task are left out
on purpose, and so is the praise that is more often meant ironically. Apostrophes and hyphens are gone from the text by
the time it is read, and a comma stands for anything that separates, also for either end of the message.
"""

THINGS = {
    "NOUN": """plan | proposal | approach | solution | strategy | design | scope | structure | breakdown
        | architecture | direction | outline | step | steps | points | summary | overview | understanding
        | suggestion | suggestions | analysis | idea | reasoning | assessment | recommendation | recommendations
        | changes | change | edits | details | order of the steps""",
    "WHOLE": """necessary | required | needed | whole | entire | full | complete | proposed | suggested
        | recommended | above | current | approved | final | revised | updated | latest | detailed | attached
        | described | outlined | agreed | implementation | action""",
    "SAID": """proposed | planned | described | outlined | suggested | presented | wrote | written | made
        | drafted | created | prepared | shared | detailed | listed | specified | recommended | laid out | set
        out | came up with | put together""",
    "YOU": "you (have | just)* | youve just?",
    "PLAN": """(the | this | that | your | our) WHOLE* (plan | proposal | approach | solution | strategy
        | suggestion | suggestions) (of action | YOU SAID | above)* | plan | exactly? what YOU SAID""",
    "CHANGES": "code? (steps | tasks | items | changes | change | edits | modifications)",
    "STEPS": """((the | these | those | your) WHOLE* | (all | each) (of? (the | these | those | your) WHOLE*)?)
        CHANGES | (every | each) step""",
    "IT": """it all? | this | that | these | those | them all? | all | everything above? | the above | exactly
        (that | this) | all of (it | this | that | them | these | those | the above) | (the | this | that) (whole
        | entire)? thing | (this | the) WHOLE* (feature | fix | refactor | refactoring) | STEPS | (everything
        | all of? the? CHANGES | (the | all | every) (step | steps | tasks | items)) (in | of | from) PLAN
        | STEPS from PLAN | everything""",
    "THING": "IT | PLAN",
    "WORK": """(the | this | your | with)? (actual | full | complete | whole | entire)? (implementation
        | execution | coding | development | work | code? (changes | edits)) (phase | stage | work)? ((of | on)
        (it | this))? | (the | with)? (implementation | execution | development) of PLAN""",
    "DOING": """(implementing | executing) THING? | (applying | performing | carrying out | running) THING
        | (building | coding | developing | doing) (IT (up | out)?)? | working (on (WORK | it | this))? | (making
        | applying) STEPS | writing the? code | (changing | editing | modifying) the? (code | files)""",
}
"""What is carried out: never a part of the plan, and never the making of a plan."""

WAYS = {
    "NOW": """now | quickly | fast | promptly | right now | (right | straight) away | straightaway | immediately
        | at once | asap | as soon as possible | without (further | any)? (delay | ado)""",
    "PLEASE": "please | pls | plz | kindly",
    "AS_PLANNED": """exactly? as YOU? (SAID | discussed | agreed) (it | above | here | in PLAN)? | exactly? as
        (is | it is | it stands) | exactly | (exactly | just)? like (this | that) | that? YOU SAID | (that
        | which)? we (discussed | agreed on?) | accordingly | above | (according to | as per | per | following
        | based on) PLAN | in full | fully | completely | to the letter | (from start | start) to finish | from
        beginning to end | in its entirety | end to end | step by step | one by one | in one go | in order
        | sequentially | this way | that way | without (any | further)* (changes | modifications) | for (me | us)
        | (in | to) (the | our | my) (code | codebase | repo | repository | project | files | workspace) | in act
        mode""",
    "MANNER": "NOW | PLEASE | then | AS_PLANNED",
    "FILL": "PLEASE | just | simply | now | so | then | definitely | immediately | directly | do | and",
}
"""How it is carried out, without a word that changes what or when."""

DEEDS = {
    "WITH": "with (THING | WORK | DOING)",
    "BEGIN": "start | begin | commence | initiate",
    "DEED": """(implement | execute) (THING | WORK)? | (apply | perform | enact | action | realize | realise
        | carry out | follow through with | act on | go with | roll with | run with | execute on) THING | carry
        (IT | PLAN) out | carry out WORK | put THING (into | in) (action | practice | effect | motion | place)
        | turn THING into (code | reality) | bring (IT | PLAN) to life | (build | code | develop | ship) IT (up
        | out)? | run (THING | STEPS) all? | do (IT | so | WORK | the needful) | do exactly? ((as | what) you
        (say | said | suggest | propose | recommend) | as YOU? SAID | what YOU SAID | (as | what) PLAN says)
        | make (it all? | this | that) (happen | so | real) | make (STEPS | them) | follow PLAN | write (all
        of?)? the? (code | implementation) | tackle IT | (complete | finish | work through) all of? the steps (in
        PLAN)? | do WORK | code up? IT | get (IT | PLAN) (done | going | started | rolling | built | implemented
        | moving) | (complete | finish) the (implementation | coding | development | work)""",
    "DO": """DEED | (proceed further? | BEGIN | continue | move on | get right?) to (DEED | code) | (go on?
        | come on | continue | carry on | take PLAN) and? DEED | proceed (on | to)? DOING | get to (WORK | DOING)
        | go (for | with) WORK | get (started | going | cracking | rolling | coding | building | moving | to work
        | right? to it | on it | on with it | the ball rolling) ((with | on) (THING | WORK | DOING) | DOING)?
        | (go | press | carry) on with (WORK | DOING) | (go (right | straight)? ahead | goahead) WITH? | (move
        | go | push | press) (forward | ahead) WITH? | go for (it | this | that | PLAN) | have at it | proceed
        further? (WITH | to (WORK | act mode))? | go on? and proceed | (move on? | jump | continue | go) on? to
        WORK | continue with (WORK | DOING) | BEGIN (on | with)? (WORK | DOING) | BEGIN on? (IT up? | the plan
        | this plan) | BEGIN plan execution | make a start (on IT)? | kick (IT | things) off | kick off (WORK
        | IT) | (accept | approve | confirm) and (build | execute | run | implement | start | proceed) THING?
        | (implement | execute | code | build) away | fire away | full (speed | steam) ahead | let it rip | crack
        on""",
    "ACT": "DO MANNER*",
    "ACT_MODE": """(switch | change | move | go | get) over? (in | into | to) (act | (act | build | execution)
        mode) ,? (and | then | FILL)* | enter (act | build | execution) mode ,? and FILL*""",
    "ACTS": """(ACT_MODE? ACT | ACT_MODE (BEGIN | go) MANNER*) (,? (and then? | then) FILL* ACT)* (and (BEGIN
        | build | code | do so) MANNER*)?""",
    "START": "ACTS | BEGIN MANNER* (,? and ACTS)?",
}
"""What people tell somebody to do who has a plan at hand. `BEGIN` alone could mean anything, `START` needs a frame."""

PRAISES = {
    "VERY": """very | really | so | all | absolutely | totally | pretty | quite | perfectly | super | about
        | much | way | fully | completely""",
    "GOOD": """good | great | fine | perfect | excellent | nice | solid | sound | right | correct | reasonable
        | ok | okay | alright | sensible | clear | complete | thorough | awesome | spot on | well thought out
        | clean | simple | neat | detailed | straightforward | logical | feasible | doable | comprehensive
        | concise | elegant | robust | valid | accurate | satisfactory | acceptable | suitable | appropriate
        | fantastic | wonderful | amazing | superb | beautiful | better | clearer | lovely | terrific
        | outstanding | cool | on point | aligned | all set | in order | exactly right | ready | well (written
        | structured | defined | organized | documented | explained | done)""",
    "FROM_ME": """(are? (needed | required | necessary) | here | at all | (from | on | for) (me | us) | (from
        | on) (my | our) (side | end | part))""",
    "SUBJECT": """(it | this | that) all? | they | everything | all | all of (it | this | that) | PLAN | STEPS
        | ((the | this | that | your | our | every | all of? the) (WHOLE | new)*)? NOUN""",
    "IS": """is | are | is now | looks | look | sounds | sound | seems | seem | feels | reads | does look | still
        looks""",
    "PRAISE": """now? (SUBJECT? IS | thats | its | theyre | all | everythings | were | i find (it | this | PLAN))
        now? VERY* GOOD (and VERY* GOOD)? (enough | overall)? (as (is | it is | they are))? (to me | now
        | FROM_ME)* | (thats | its | this is | that is | this seems) (a | (exactly | just)? the)? VERY* GOOD
        enough? (NOUN | work | job | stuff | call | one | thinking | way (to go)?) | VERY* (good | great | nice
        | excellent | solid | perfect | awesome | cool | fantastic) (NOUN | work | job | stuff | call | one
        | thinking) (on (it | this | that | PLAN))? | (this is | thats | that is) the (way (to go)? | one)
        | (SUBJECT | all)? checks out | (thats | that is | this is) the plan (i (want | wanted))? | NOUN lgtm
        | VERY VERY* GOOD | SUBJECT? fits (for? me)? | same page | (SUBJECT (should | will) | thatll | itll
        | thisll) (work | do it? | be fine) | (SUBJECT IS | its | im | i am)? all? good to go | works | (that
        | this | it | PLAN) (works | will work | does it) | SUBJECT? (sounds | looks | seems) like (a | the
        | just | exactly)* (VERY* GOOD? NOUN | way to go | VERY* GOOD way | what i (want | wanted | need
        | needed)) | (good | close) enough (for me)?""",
    "LIKE": """(i (really | hereby | fully | completely)? (like | love | approve of? | accept | agree (with | to
        | on) | trust | support | endorse | sign off on) | (im | i am | we are | were)? VERY* (happy | fine | ok
        | okay | good | cool | satisfied | pleased | comfortable | on board | good to go) with | love | loving
        | like) (SUBJECT | you | your judgment | the idea | where this is (going | headed) | how (YOU SAID it
        | you structured it))""",
    "REVIEWED": """reviewed and (approved | accepted) | (i have | ive | i | we have | weve) (read (through
        | over)? | reviewed | checked | looked (at | over | through) | gone (over | through) | went (over
        | through)) (it | everything | this | PLAN | STEPS) | ((checked | reviewed | verified) (it | everything
        | PLAN | this)?) ,""",
    "YES": """yes | yep | yup | yeah | yea | ya | ok | okay | k | kk | alright | all right | approved | agreed
        | accepted | confirmed | affirmative | roger | correct | exactly | of course | absolutely | definitely
        | certainly | totally | for sure | indeed | sure thing? | cool | fine | great | good | perfect
        | excellent | nice | awesome | fantastic | wonderful | amazing | superb | super | solid | sweet | neat
        | lovely | beautiful | brilliant | (good | great | fine | perfect | excellent) as (is | it is) | lgtm
        | sgtm | wfm | ack | noted | understood | got it | all VERY* (good | clear | set | fine) | by all means
        | (looks | sounds) VERY* GOOD | (okey | okie | okay) (dokey | dokie)? | alrighty | roger that | yes sir
        | thumbs up | greenlit | granted | green light (from me)? | hell yes | very (good | well | nice) | agree
        | 100% | signed off | true | dope | okk | (i | we)? confirm | precisely | right on | crystal clear | my
        thoughts exactly | ready , | , VERY* GOOD enough? ,""",
    "NO_MORE": """(i have | i see | there are | ive got | we have | i find)? no (further | more | other
        | additional)* (objections | questions | comments | concerns | feedback | notes | remarks | issues
        | complaints | comment | problem | problems) (with (it | this | that | PLAN))? FROM_ME* | (i have)? no
        (more | other)? (changes | edits | modifications) FROM_ME | (i have)? no (further | additional | more)
        (changes | edits | modifications) FROM_ME? | i have no (changes | edits | modifications) | (i have
        | theres | there is)? nothing (else | more)? to (add | change | object) | nothing else | nothing from me
        | no need (for | to make) any? (further | more | other)? (changes | edits | questions | modifications)
        | no need to (change | modify | adjust) (anything | it)""",
}
"""Words that please, and that nothing is missing."""

REMARKS = {
    "WHO": "i | im | ive | i have | i am | we | weve | you | youve",
    "WHICH": "it | this | that | these | those | everything | all | every | each | the | your | our | my",
    "HOW": """VERY | GOOD | already | definitely | completely | fully | well | here | overall | carefully
        | thoroughly | exactly""",
    "DONE": """been | reviewed | looked (at | over | through)? | gone (over | through) | checked | approved
        | accepted | confirmed | agreed | convinced | nailed | covered | chosen | made | read | understood
        | asked for | SAID""",
    "DOES": """is | are | looks | seems | sounds | feels | reads | works | (makes | make) (total | perfect
        | complete | a lot of | good)? sense | covers | fits | matches | (have | has) (already | all | now)*
        (DONE | everything) | DONE | (addresses | answers | covers | meets | resolves) (all of? | every)? (my
        | our | the)? (concerns | questions | requirements | needs | points | cases | edge cases) | went (over
        | through) | got (it | this | that | everything) | understood | understand | meets (our | my | the
        | all)* (expectations | requirements | needs) | feel VERY* GOOD | did | impressed | confident | am
        | happy | satisfied | pleased | comfortable | ready | set | chose | picked | took""",
    "FEEL": "like | love | trust | appreciate | approve | accept | agree | think | believe | read | confirm",
    "WHAT": """a | an | plan | approach | solution | proposal | steps | changes | implementation | idea | work
        | job | analysis | structure | order | scope | breakdown | details | level of detail | detail
        | understanding | correctly | direction | design | tests | files | code | sections | of | with | for | by
        | in | on | from | and FEEL? | me | us | to me | to us | my side | my end | CHANGES | WHOLE | through
        | over | step""",
    "SAYS": "WHO | WHICH | HOW | DOES | WHAT",
    "REMARK": """((i think | i believe | i feel) that? | (looks | seems | sounds) like)? (WHO (VERY | already
        | both)* (DOES | FEEL) SAYS* | (im | i am) VERY* GOOD SAYS* | WHICH SAYS* DOES SAYS* | (thats | its
        | everythings | theyre) SAYS* GOOD SAYS* | (love | loved | liked) (it | this | that | PLAN) | VERY VERY*
        GOOD (and VERY* GOOD)* | GOOD and VERY* GOOD)""",
}
"""A remark is nearly any row of words that please, with a verb that states something: none of them
asks, puts off or orders."""

AGREEMENT = {
    "ASSENT": """YES (and (approved | accepted | confirmed))? (then | to me)? | aye | (i (think | believe | feel)
        that? | (looks | seems | sounds) like)? PRAISE | LIKE | NO_MORE | i? (fully | completely | hereby)?
        (approve | agree | confirm | accept | (authorize | authorise) (it | this | PLAN)) | (i dont | i do not)
        (see | have) any (further | other | more)* (issues | problems | objections | questions | concerns
        | comments) | i wouldnt change (anything | a thing) | (thats | that is) (it | all) | (approving
        | confirming | im approving) (it | this | PLAN)? | (i think | i believe | (looks | seems) like)? (were
        | we are | im | i am) all? (good | ready (to (go | start | begin | proceed))?) | (approved | accepted)
        (as is | as written | without changes) | (im | i am | we are | were) VERY* (in | sure | on board | on the
        same page | convinced | satisfied | happy | sold | all for it) | REVIEWED (and (PRAISE | LIKE))? | ((PLAN
        | it | this) (has | gets) | you have | youve got | you got) my full? (approval | blessing | support
        | sign off | vote) | SUBJECT? (works | fine | good | ok | okay | great) (for | by | with) me | SUBJECT?
        (makes | make) (perfect | total | good | complete)? sense (to me)? | (SUBJECT | its) (is | are | has
        been)? (approved | accepted | confirmed) | approved by me | (the team | everyone | everybody | we all)
        (has | have)? already? (reviewed | approved | agreed (with | on | to)? | agrees with | likes | signed off
        on) (it | this | PLAN)? | yes to (THING | STEPS) | consider (it | this) approved | + 1 | (thats | now?
        SUBJECT IS | its)? (exactly | precisely | just)* what (i | we) (want | wanted | need | needed | had in
        mind | was (looking for | thinking)) (to (hear | see))? | well done | (SUBJECT | it) (covers | has
        | cover) (everything (i (need | needed | want | wanted | asked for))? | what i (need | needed | wanted))
        | (my | the) answer is (a | an)? yes | i (vote | say) yes | a big yes | (youre | you are) (VERY* GOOD
        | all? set) | (were | we are) all? set | (its | thats) a (yes | go) (from me)? | exactly? (all of it
        | everything | as SAID) ,""",
    "POLITE": """PLEASE | please and thank you | y | (many | a lot of)? thanks (so much | a lot | again | in
        advance)? | thank you (so much | very much | again)? | thx | ty | cheers | hi there? | hey there? | hello
        there? | dear? (assistant | agent) | mate | buddy | sir | bro | man | dude | guys | folks | team | friend
        | (ah | ahh | aha | well) ,? | i see ,? | (thanks | thank you | thx) for (THING | making PLAN | (the
        | your | this | that) VERY* (GOOD | quick | updated | revised)* (work | planning | plan | NOUN
        | explanation | clarification | update | help | effort | info | summary | overview) | (explaining
        | clarifying | revising | updating | fixing) (it | this | that | PLAN)? | putting (it | this | that)
        together) | (much | really)? appreciated | (and | with)? (stop | enough | no more) planning | (from | on)
        (my | our) (side | end | point of view) | for me | (well | right | go on) then | np | no (problem
        | worries | rush) | (im | i am)? (looking forward to | excited (about | to see)? | cant wait (for | to
        see)?) (it | this | the result | the results)? | (go on | come on | continue | moving on | have fun
        | enjoy) ,""",
}
"""What agrees with a plan and asks for nothing, and what is merely polite."""

ENGLISH_PARTS = THINGS | WAYS | DEEDS | PRAISES | REMARKS | AGREEMENT

ENGLISH_APPROVALS = {
    "order": "(right ,?)? FILL* ACTS | PLEASE do ,",
    "begin": "(FILL FILL* BEGIN | BEGIN (NOW | PLEASE | AS_PLANNED) | ASSENT ,? FILL* BEGIN) MANNER*",
    "go": """(lgtm | approved | PLAN is? approved | i approve (it | this | PLAN)? | green light | LIKE) ,? go
        MANNER* ,""",
    "let-us": """ASSENT ,? lets go NOW? | (right ,?)? FILL* (lets | let us) (all | really | FILL)* (START
        | (build | code) MANNER*) | FILL* lets (roll | rock | do this thing | get this show on the road)""",
    "permission": """(FILL | yes)* (you | u | we) (can | may) (FILL | certainly | safely)* (START | (change
        | edit | modify) the (code | files) MANNER*) | FILL* feel free to FILL* START | (you are | youre | were
        | we are) (now | all)* ((set | free | clear | cleared | good | approved | authorized | authorised
        | welcome | allowed | permitted) to START | (set | clear | cleared | good | approved) to go MANNER*)
        | (you have | youve got? | you got | i (hereby | fully)? (give | grant) (you | it | this | PLAN)? | (im
        | i am)? giving (you | it | this | PLAN) | i have given you) (my | the)? full? (permission | approval
        | consent | blessing | go ahead | green light | all clear | ok | okay) ((to | and) START)? | (permission
        | approval) granted to START | (consider (this | it)? | this is | heres) (as | my | the)* (approval | go
        ahead | permission | green light) to START | (execution | implementation) approved | (were | we are | im
        | i am) ready (for you to START | to ACTS) | (were | we are | im | i am) VERY* (happy | ok | okay | fine
        | good | glad) to (proceed WITH? | go ahead WITH? | move forward WITH?) | (its | it is) (ok | okay | fine
        | clear | safe) to ACTS | i (hereby | fully)? (authorize | authorise | allow | permit) you to START
        | (authorized | authorised | cleared | all? clear | free) to START | approved (for (implementation
        | execution) | to START)""",
    "wish": """(i want | i would like | id like | i need) you to (FILL)* START | (i want | i would like | id like
        | we want | we would like) to (FILL* (go (ahead | forward) | proceed | (move | go) forward) WITH?)
        MANNER* | (i want | i would like | id like) (IT | PLAN) (to be)? (implemented | executed | built | done)
        MANNER* | (its | it is)? time to (START | build | code) | (im | i am) (happy | ok | okay | fine) for you
        to START""",
}
"""By name, the phrases that ask for the plan to be carried out."""

ENGLISH_COURTESIES = (
    ", (and | so)* REMARK ((, | and | , and | so) REMARK)* (, | so | and) | (and | so)* ASSENT | POLITE | lets go ,"
)
"""What may stand around an approval, and approves nothing by itself."""
